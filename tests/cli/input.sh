# Standard input: from a file and a pipe every execution reads all of it, also in
# replays; a terminal is empty, and the report says so if it is read.
echo 42 >number
piped() { printf '%s\n' "$1" | heddle check --isolate="$2" reads.c; }
for isolate in reset fork; do
    run 0 heddle check --isolate=$isolate reads.c <number
    has '2 executions, everything explored, nothing found'
    run 0 piped 42 $isolate
    has '2 executions, everything explored, nothing found'
    run 1 piped 43 $isolate
    has 'SUMMARY: heddle: assertion' 'to see it again'
done
terminal() { python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' heddle check "$1"; }
run 1 terminal reads.c
has 'standard input is a terminal, so the program finds it empty'
run 0 terminal nothreads.c
hasnt 'terminal'
