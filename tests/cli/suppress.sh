# Suppressions: what they match, that the search goes on after a suppressed finding, and what is told about them.
kinds() { python3 -c 'import json, sys; r = json.load(open("out.json")); print(sorted((f["kind"], f["line"]) for f in r[sys.argv[1]]))' "$1"; }
verdict() { grep 'executions\{0,1\},' <<<"$out" | sed 's/ ([0-9.]* s)//; s/^heddle: //'; }

# --- without suppressions: everything there is
run 1 heddle check --stop=never --json=out.json two_failures.c
all=$(kinds findings)
same "all findings" "$all" "[('assertion', 11), ('assertion', 16), ('data-race', 21), ('data-race', 26)]"
never=$(verdict | sed 's/, .*//')

# --- one is suppressed: the others are found, and the search ends as before
cat >first.supp <<'END'
# a comment, and an empty line

assertion function=check_second
END
run 1 heddle check --stop=never --suppress=first.supp --json=out.json two_failures.c
same "the others" "$(kinds findings)" "[('assertion', 11), ('data-race', 21), ('data-race', 26)]"
same "the suppressed one" "$(kinds suppressed)" "[('assertion', 16)]"
same "the same executions" "$(verdict | sed 's/, .*//')" "$never"
has "first.supp:3: 'assertion function=check_second' suppressed 1 finding, in" ', 3 findings, 1 suppressed'
hasnt 'check_second two_failures.c'

# --- with --stop=first the search goes on after a suppressed failure, and stops at the next one
run 1 heddle check --races=off --json=out.json two_failures.c
same "stops at the first" "$(kinds findings)" "[('assertion', 16)]"
run 1 heddle check --races=off --suppress=first.supp --json=out.json two_failures.c
same "stops at the next" "$(kinds findings)" "[('assertion', 11)]"
has 'stopped at the first finding' '1 finding, 1 suppressed'

# --- all are suppressed: everything is explored, with the executions of --stop=never, and the status is 0; with
# every isolation and explorer
echo 'assertion:check_*' >both.supp
for options in "" "--explore=dpor" "--explore=dfs" "--isolate=fork --explore=dpor"; do
    run 1 heddle check $options --races=off --stop=never two_failures.c
    never=$(verdict | sed 's/, .*//')
    run 0 heddle check $options --races=off --suppress=both.supp two_failures.c
    same "all executions $options" "$(verdict)" "$never, everything explored, nothing else found, 2 suppressed"
done

# --- races: by variable, by file, by function; a pair of accesses that no entry matches is reported
run 0 heddle check --suppress=both.supp --suppress=<(echo 'data-race variable=plain'; echo 'data-race variable=oth*') two_failures.c
has 'everything explored, nothing else found, '
run 0 heddle check --suppress=both.supp --suppress=<(echo 'data-race file=two_*.c') two_failures.c
run 1 heddle check --stop=never --suppress=both.supp --suppress=<(echo 'data-race function=touch') --json=out.json two_failures.c
same "the other race" "$(kinds findings)" "[('data-race', 26)]"
run 1 heddle check --stop=never --suppress=<(echo 'data-race variable=plain') --json=out.json variable.c
same "another variable" "$(kinds suppressed)" "[]"
has "'data-race variable=plain' matched nothing"

# --- a failure that kills the process
run 0 heddle check --suppress=<(echo crash) crash.c
has "'crash' suppressed 1 finding" 'nothing else found, 1 suppressed'

# --- an entry for each finding, which suppresses it
run 1 heddle check --stop=never --print-suppressions two_failures.c
grep -E '^(assertion|data-race) ' <<<"$out" >printed.supp
same "entries" "$(cat printed.supp)" "assertion function=check_second file=two_failures.c
assertion function=check_first file=two_failures.c
data-race function=touch file=two_failures.c variable=plain
data-race function=poke file=two_failures.c variable=other"
run 0 heddle check --suppress=printed.supp two_failures.c
hasnt 'matched nothing'
run 1 heddle check --print-suppressions deadlock.c
grep '^deadlock function=' <<<"$out" >printed.supp
run 0 heddle check --suppress=printed.supp deadlock.c

# --- the environment: every option, of the verbs that have it; the command line wins
export HEDDLE_OPTIONS='suppressions=both.supp races=off --stop=never cflags="-O1 -DX=1"'
run 0 heddle check two_failures.c
has 'everything explored, nothing else found, 2 suppressed'
run 1 heddle check --races=report two_failures.c
has 'data race'
run 1 heddle replay "$(sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1)"
run 0 heddle check --help
HEDDLE_OPTIONS=nonsense=1 run 2 heddle check two_failures.c
has "HEDDLE_OPTIONS: there is no option 'nonsense'"
HEDDLE_OPTIONS=stop=sometimes run 2 heddle check two_failures.c
has "--stop is 'first' or 'never', not 'sometimes'"
unset HEDDLE_OPTIONS

# --- bad files
run 2 heddle check --suppress=missing.supp two_failures.c
has 'missing.supp: the suppressions cannot be read'
bad() {
    printf '%s\n' "# first" "$1" >bad.supp
    run 2 heddle check --suppress=bad.supp two_failures.c
    has "bad.supp:2: $2"
}
bad 'data-rice' "there is no kind of finding 'data-rice'"
bad 'model-limit' "there is no kind of finding 'model-limit'"
bad 'data-race func=a' "expected function=GLOB, file=GLOB or variable=GLOB, not 'func=a'"
bad 'data-race file=a file=b' "given twice: 'file=b'"
bad 'data-race:' 'expected KIND:GLOB'
