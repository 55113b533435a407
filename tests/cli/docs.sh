# The manual and the help text have every option of options.def; the examples
# and the demo do what they say.
for option in $(sed -n '/#ifdef CHECK_OPTIONS/,/#endif/s/^OPTION(\([a-z_]*\),.*/\1/p' "$ROOT/src/cli/options.def"); do
    option=${option%_} # volatile_: a keyword of C has an underscore behind it
    name=${option//_/-}
    out=$(cat "$ROOT/docs/heddle.1")
    has "\\-\\-${name//-/\\-}"
    run 0 heddle check --help
    has "--$name"
done
run 0 heddle replay --help
has '--gdb'
run 0 heddle --help
has 'heddle check' 'heddle replay' 'exit status'
if command -v man >/dev/null; then
    run 0 man --warnings -l "$ROOT/docs/heddle.1"
    hasnt 'warning'
    has 'HEDDLE CHECK' 'EXIT STATUS' 'heddle-out/'
fi
run 1 heddle check "$ROOT"/examples/bank/bank.c "$ROOT"/examples/bank/main.c
has 'deadlock: 4 threads are blocked forever' 'bank.c:13 in transfer'
run 1 heddle check --stop=never "$ROOT/examples/refcount/refcount.c"
has 'use after free: read of 4 bytes' 'refcount.c:16 in let_go' 'everything explored, 3 findings'
run 0 "$ROOT/scripts/demo"
has 'SUMMARY: heddle: deadlock' 'The same failure, every time'

# --- installed, everything is found as well
run 0 make -s -C "$ROOT" install DESTDIR="$WORK/installed" PREFIX=/usr
run 1 "$WORK/installed/usr/bin/heddle" check assertion.c
file=$(sed -n 's/^to see it again: heddle replay //p' <<<"$out")
installed_gdb() { printf 'bt\nquit\n' | "$WORK/installed/usr/bin/heddle" replay --gdb "$file"; }
run 1 installed_gdb
has 'main () at assertion.c:36'

# heddle cc --help is heddle's own; everything else about the compiler is clang's.
run 0 heddle cc --help
has 'usage: heddle cc' '-fheddle-cover' 'HEDDLE_DISABLE=1'
