# The default check takes critical sections as single steps while locks protect what threads share.
facts='import json; r = json.load(open("out.json")); '
run 0 heddle check --json=out.json table.c
has 'executions, everything explored with critical sections as single steps, nothing found'
run 0 python3 -c "$facts"'assert r["composed"] and r["complete"] and r["explorer"] == "dpor" and r["tests"] < 1000, r'
run 0 heddle check --explore=dpor --compose --json=out.json table.c
run 0 python3 -c "$facts"'assert r["composed"] and r["tests"] == 1, r'

# It can be switched off; what needs all schedules does without it.
for options in --compose=off --explore=dpor --leaks --states --discipline=eraser; do
    run 3 heddle check $options --max-tests=2000 --json=out.json table.c
    run 0 python3 -c "$facts"'assert not r["composed"] and r["tests"] + r["hunted"] == 2000, r'
done

# A variable without a lock is named, no finding, and costs nothing but time.
run 0 heddle check --cflags=-DORDERED --json=out.json table.c
has 'no lock protects all accesses to a variable (table.c:17, table.c:22), so critical sections are explored operation by operation' \
    'more, everything explored, nothing found'
run 0 python3 -c "$facts"'assert not r["composed"] and r["complete"] and r["tests"] >= 369600, r'
run 1 heddle check --cflags=-DORDERED --discipline=per-run --max-tests=5000 table.c
has 'lock discipline: no lock protects all accesses to this variable'

# A finding of composed steps has a test of single operations.
run 1 heddle check --explore=dpor --compose --cflags=-DFAILS table.c
has 'assertion table.c:27 in finish'
run 1 heddle replay heddle-out/table-assertion-*.replay
has 'assertion table.c:27 in finish'
run 1 heddle check --stop=never --cflags=-DFAILS --json=out.json table.c
run 0 python3 -c "$facts"'assert r["composed"] and r["complete"] and r["findings"][0]["confirmed"], r'

run 2 heddle check --compose=maybe table.c
has "--compose is 'on' or 'off', not 'maybe'"
run 2 heddle check --compose --discipline=eraser table.c
has "--compose needs --discipline=per-run, not 'eraser'"
