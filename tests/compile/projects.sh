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
