# examples/testing: checks as tests of ctest, meson and automake, and of heddle test. Each notices a bug that is not
# expected, and a bug that is no longer there.
try() {
    rm -rf project && cp -r "$ROOT/examples/testing" project
    [ -z "$1" ] || sed -i "$1" project/counter.c
    cd project || exit 2
}
fixed='s/ifdef BROKEN/if 0/' bug='s/ifdef BROKEN/if 1/'

all_of() {
    try "$1"
    run "$2" heddle test
    CC="heddle cc" cmake -S . -B out -DCMAKE_BUILD_TYPE=Debug >/dev/null && cmake --build out >/dev/null
    run "$3" ctest --test-dir out --output-on-failure
    cd .. || exit 2
    try "$1"
    CC="heddle cc" meson setup out >/dev/null
    run "$4" meson test -C out
    cd .. || exit 2
    try "$1"
    { autoreconf -i && ./configure CC="heddle cc"; } >/dev/null 2>&1
    run "$5" make check
    cd .. || exit 2
}
all_of "" 0 0 0 0
all_of "$bug" 1 8 1 2
all_of "$fixed" 1 8 1 2
