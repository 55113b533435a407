# What the source calls memory and values, by kind of storage, with optimisation off and on.
replay_file() { sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1; }

for level in -O0 -O2; do
    run 1 heddle check --races=off "--cflags=$level" names.c
    run 1 heddle replay "$(replay_file)"
    # heap, with the lock in it; a block that another block points to; an unnamed structure
    has 'lock q->m' 'write q->items[1] = 7' 'read q->rows = block#' 'write q->rows[1].key = 1' 'write q->self = block#1'
    # values by type
    has 'write q->color = BLUE' 'write q->full = true' "write q->letter = 'x'" 'write q->byte = 200' 'write q->weight = 2.5'
    # global variables, and pointers to them and into the heap
    has 'write table.rows[3].next = &table.rows[1]' 'write table.grid[1][2] = -1' 'write head = block#2+16'
    # static in a function, thread-local, local
    has 'write calls = ' 'read theirs = &mine' 'read mine (of T0) = 4' 'write numbers[1] (local of main) = 3' \
        'read numbers[1] (local of main) = '
    has 'block#1: block of 96 bytes (struct queue) from calloc at names.c:75' \
        'block#2: block of 64 bytes (struct row[4]) from malloc at names.c:76'
    hasnt '0x'
    # memory that no variable contains, of two processes
    run 1 heddle check "--cflags=$level" names_forked.c
    has 'atomic update s->turns = 1'
    hasnt '0x'
done

# addresses are in JSON
run 1 heddle check --races=off --json=out.json names.c
run 0 python3 -c '
import json
f = json.load(open("out.json"))["findings"][0]
locks = [s for s in f["slice"] if s["operation"] == "lock"]
assert locks and all(s["name"] == "q->m" and int(s["address"], 16) >> 44 == 2 for s in locks), f
assert f["story"].startswith("T0 "), f'

# --- the table: as wide as the terminal, folded or whole, cut at the operation
run 1 heddle check --table=slice many.c
has '… T1: 50 steps in worker()'
run 1 heddle check --table=full many.c
hasnt '50 steps in worker()'
has 'in worker():'
# Rounds of a loop with calls in it are shown once; both frees of a block that is not shared are told.
run 1 heddle check --table=full rounds.c
has 'T1: the last 8 rows 49 more times' 'double free: a block of 4 bytes, freed before by T0 at rounds.c:29' \
    'T0 frees a block of 4 bytes from malloc at rounds.c:35, at rounds.c:29. T0 frees it again at' \
    'Location is block of 4 bytes from malloc, allocated by main thread at:' '#0 gives_back rounds.c:29:5'
rows=$(sed -n '/How it came/,/\*\*\*/p' <<<"$out" | wc -l)
[ "$rows" -le 24 ] && pass || fail "$rows rows for 50 rounds"
run 2 heddle check --table=all many.c
has "--table is 'slice' or 'full', not 'all'"
run 1 script -qec "stty cols 70; heddle check crowd.c" /dev/null
same "no line is wider than the terminal" \
    "$(sed -n '/How it came/,/SUMMARY/p' <<<"$out" | tr -d '\r' | sed 's/…/./g' | awk 'length > 70')" ""
run 1 script -qec "stty cols 70; heddle check --races=off long_names.c" /dev/null
same "nor if a function has a long name" \
    "$(sed -n '/How it came/,/SUMMARY/p' <<<"$out" | tr -d '\r' | sed 's/…/./g' | awk 'length > 70')" ""
