# CC="heddle cc" in the four build systems, each with libraries of its own; with
# the real runtime, by hand.
PATH=$BUILD:$PATH
cp -r "$HERE"/projects/* .
cp -r source meson/source
line='sum 210 of 20 items'

check "make" env -C make CC="heddle cc" make -s CC="heddle cc"
same "make: a static library" "$(make/program)" "make: $line"
same "make: a shared library" "$(make/program-shared)" "make: $line"
check "make knows the dependencies" grep -q 'source/queue.h' make/main.d
touch source/sum.h
has "make builds again what changed" "$(make -C make CC="heddle cc" program)" 'source/main\.c'

check "autoconf" env -C autoconf autoconf
check "autoheader" env -C autoconf autoheader
mkdir -p autoconf/out
check "configure" env -C autoconf/out CC="heddle cc" ../configure
has "configure found threads" "$(cat autoconf/out/generated.h)" 'define HAVE_PTHREAD_H 1'
check "make after configure" make -s -C autoconf/out S=../../source
same "autoconf" "$(autoconf/out/program)" "autoconf: $line"

check "cmake" env CC="heddle cc" cmake -S cmake -B cmake/out -DCMAKE_BUILD_TYPE=Release
check "cmake --build" cmake --build cmake/out
same "cmake" "$(cmake/out/program)" "cmake: $line"

check "meson" env CC="heddle cc" meson setup meson/out meson
check "meson compile" meson compile -C meson/out
same "meson" "$(meson/out/program)" "meson: $line"

# ccache finds objects again by their contents, for both names of the compiler and with dependency files.
hits() { ccache --print-stats | awk '$1 ~ /_cache_hit$/ { sum += $2 } END { print sum + 0 }'; }
mkdir -p cached
cp source/sum.c source/*.h cached
export CCACHE_DIR=$PWD/cached/store
for compiler in "heddle-cc" "heddle cc"; do
    before=$(hits)
    check "ccache $compiler" env -C cached ccache $compiler -O2 -MD -c sum.c -o first.o
    check "ccache $compiler again" env -C cached ccache $compiler -O2 -MD -c sum.c -o second.o
    same "ccache $compiler: hits" "$(hits)" $((before + 1))
    check "ccache $compiler: the same object" cmp cached/first.o cached/second.o
    check "ccache $compiler: dependencies" grep -q sum.h cached/second.d
    rm -rf "$CCACHE_DIR"
done
unset CCACHE_DIR
