# Files of cases for the heddle command, in shell. A runner includes this, then calls run_cases; a file of cases
# FOLDER/NAME.sh is read in a folder of its own that has copies of FOLDER/programs/*.c.
HERE=$(cd "$(dirname "$0")" && pwd)
cd "$HERE/../.." || exit 2
ROOT=$PWD
PROGRAMS=$HERE/programs
BUILD=$ROOT/${B:-build}
PASSED=0 FAILED=0

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# COMMAND: the folder of the command to test. `make test` gives the one with sanitizers, whose errors must not look like
# findings (status 1). What the command has not freed when it ends is no error.
PATH=${COMMAND:-$BUILD}:$BUILD:$PATH
export ASAN_OPTIONS=exitcode=99:detect_leaks=0 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
unset NO_COLOR

pass() { PASSED=$((PASSED + 1)); }
fail() {
    FAILED=$((FAILED + 1))
    echo "FAIL: $*"
}

# run STATUS COMMAND…: its exit status; its output and complaints are in $out
run() {
    local expected=$1 status
    shift
    out=$("$@" 2>&1)
    status=$?
    if [ "$status" -eq "$expected" ]; then pass; else
        fail "exit status $status, not $expected: $*"
        head -n 15 <<<"$out" | sed 's/^/    /'
    fi
}

# has TEXT…: $out has each of these texts in one of its lines
has() {
    local text
    for text in "$@"; do
        if grep -qF -- "$text" <<<"$out"; then pass; else
            fail "'$text' is not in"
            head -n 40 <<<"$out" | sed 's/^/    /'
        fi
    done
}

hasnt() {
    if grep -qF -- "$1" <<<"$out"; then fail "'$1' is in: $(grep -F -- "$1" <<<"$out" | head -n 1)"; else pass; fi
}

# same WHAT ACTUAL EXPECTED: two texts
same() {
    if [ "$2" = "$3" ]; then pass; else
        fail "$1"
        diff <(echo "$3") <(echo "$2") | head -n 20 | sed 's/^/    /'
    fi
}

# follows A B: the line with A comes before the line with B in $out
follows() {
    local a b
    a=$(grep -nF -- "$1" <<<"$out" | head -n 1 | cut -d: -f1)
    b=$(grep -nF -- "$2" <<<"$out" | head -n 1 | cut -d: -f1)
    if [ -n "$a" ] && [ -n "$b" ] && [ "$a" -lt "$b" ]; then pass; else fail "'$1' does not come before '$2'"; fi
}

# run_cases "NAME…" WORD…: reads the files of cases that have one of the words in their names, and counts
run_cases() {
    local cases names
    names=$("$ROOT/tests/tool/names.py" "$@") || exit 2
    for cases in $names; do
        mkdir -p "$WORK/$cases"
        cp "$PROGRAMS"/*.c "$WORK/$cases"
        cd "$WORK/$cases" || exit 2
        . "$HERE/$cases.sh"
        cd "$ROOT" || exit 2
    done
    echo "$PASSED passed, $FAILED failed"
    [ "$FAILED" -eq 0 ]
}
