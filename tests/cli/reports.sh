# What a finding looks like: the lines that matter, with exact places.
replay_file() { sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1; }

# --- a data race: both stacks with inlined calls, the variable, both creations
run 1 heddle check --cflags=-O2 race.c
has 'WARNING: heddle: data race' \
    'Write of counter (4 bytes)' 'Previous write of counter (4 bytes)' \
    '#0 bump race.c:8:12' '#1 worker race.c:14:5' \
    "Location is global 'counter' of 4 bytes" \
    'Thread T2 (finished) created by main thread at:' '#0 main race.c:22:5' \
    'Thread T1 (finished) created by main thread at:' '#0 main race.c:21:5' \
    'SUMMARY: heddle: data race race.c:8 in bump' \
    'executions, everything explored, 1 finding ('
same "both accesses have their stack" "$(grep -c '#1 worker race.c:14:5' <<<"$out")" 2
same "a column per thread" "$(grep -o 'step  T1 .*T2 .*source' <<<"$out" | tr -s ' ')" "step T1 T2 source"
has 'race.c:8  counter++;' 'read counter = 0' 'write counter = 1' 'read counter = 1' 'write counter = 2'
follows 'Previous write' 'How it came about'
follows 'How it came about' 'SUMMARY:'
follows 'SUMMARY:' 'to see it again: heddle replay heddle-out/race-data-race-'
hasnt $'\033'
[ -f "$(replay_file)" ] && pass || fail "the replay file is not there"

# --- races on one variable are one finding, which lists the others
run 1 heddle check --stop=never --json=out.json variable.c
same "findings" "$(grep -c '^WARNING: heddle: data race' <<<"$out")" 2
has 'The same variable races at 2 other pairs of positions:' 'variable.c:11' 'everything explored, 2 findings'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert sorted(len(f["others"]) for f in r["findings"]) == [0, 2], r'

# --- the lock discipline: both accesses, and which of them removed which lock
run 0 heddle check --explore=dpor discipline.c
hasnt 'discipline:'
run 1 heddle check --explore=dpor --discipline=per-run --json=out.json discipline.c
has 'WARNING: heddle: lock discipline: no lock protects all accesses to this variable: write by T1, read by T2' \
    'Read of table' 'Previous write of table' '#0 stranger discipline.c:24:10' '#0 updater discipline.c:14:10' \
    "read by thread T1 at discipline.c:12 holds 'first', 'second'; left: 'first', 'second'" \
    "read by thread T1 at discipline.c:14 holds 'first'; left: 'first'" \
    "read by thread T2 at discipline.c:24 holds 'second'; left: none" \
    "4 of 5 accesses hold 'first'; this one does not" "Location is global 'table'" \
    'SUMMARY: heddle: lock discipline discipline.c:24 in stranger'
run 1 heddle replay "$(replay_file)"
has 'WARNING: heddle: lock discipline'
run 0 python3 -c 'import json; f = json.load(open("out.json"))["findings"]; assert [(x["kind"], x["line"], x["previous"]["line"], x["confirmed"]) for x in f] == [("lock-discipline", 24, 14, True)], f'
run 1 heddle check --explore=random --max-tests=1 --discipline=per-run discipline.c
has "left: none"

# --- failures behind races: both are reported, the failure first; the first of ten races
run 1 heddle check --json=out.json behind.c
has 'SUMMARY: heddle: assertion behind.c:34 in main' 'SUMMARY: heddle: data race behind.c:' \
    'stopped at the first finding (--stop=never continues), 2 findings and other data races (--stop=never lists them)'
follows 'heddle: assertion' 'heddle: data race'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert ([f["kind"] for f in r["findings"]], r["more_races"], r["complete"]) == (["assertion", "data-race"], True, False), r'
run 1 heddle check --races=off behind.c
has ', 1 finding ('
hasnt 'data race'

# --- nothing but races: the search for failures ends after a while, or at the bound
run 1 heddle check --cflags=-DBENIGN=1 behind.c
has 'stopped some time after a data race, with no failure so far (--stop=never continues), 1 finding and other data races'
run 1 heddle check --cflags=-DBENIGN=1 --races=report-last --max-tests=20000 --json=out.json behind.c
has 'stopped at --max-tests=20000, 1 finding and other data races'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["bound"], len(r["findings"])) == ("max-tests", 1), r'

# --- more threads than a page has columns for: one column, and the thread's name beside it
run 1 heddle check crowd.c
same "the head of the list" "$(grep -o 'step  thread .*source' <<<"$out" | tr -s ' ')" "step thread does source"
has 'T14    lock lock' 'T13    unlock lock' '*** assertion'
same "no line is wider than a page" "$(sed -n '/How it came/,/SUMMARY/p' <<<"$out" | sed 's/…/./g' | awk 'length > 100')" ""

run 1 heddle check heaprace.c
has 'of 16 bytes' '(int[4]) from calloc at heaprace.c:14, 8 bytes into it, allocated by main thread at:' '#0 main heaprace.c:14:19' \
    'by thread T1:' '#0 bump heaprace.c:7:15' 'by main thread:' '#0 main heaprace.c:16:15'

# --- deadlocks: who waits for what, who holds it and since where
run 1 heddle check deadlock.c
has 'WARNING: heddle: deadlock: 3 threads are blocked forever' \
    'Main thread waits for thread T1 to end:' '#0 main deadlock.c:30:5' \
    "Thread T1 waits for mutex 'second':" \
    "mutex 'second' is held by thread T2, which locked it at:" \
    "Thread T2 waits for mutex 'first':" \
    "mutex 'first' is held by thread T1, which locked it at:" \
    '#0 both deadlock.c:8:5' '#0 both deadlock.c:7:5' '#1 forward deadlock.c:15:5' '#1 backward deadlock.c:21:5' \
    'lock first' 'lock second' '*** waits for second' '*** waits for first' '*** waits for T1' \
    'SUMMARY: heddle: deadlock deadlock.c:8 in both'
same "each of the two places of each thread" "$(grep -c 'deadlock.c:[78]:5' <<<"$out")" 4
# Objects of the runtime have names, too.
run 1 heddle check eventfd.c
has 'Thread T1 waits for eventfd 0:' '*** waits for eventfd 0' 'atomic update action of signal 10'


run 1 heddle check selflock.c
has 'WARNING: heddle: self-deadlock: T0 waits for a lock that it holds itself' \
    "mutex 'm' is held by main thread itself, which locked it at:" '#0 main selflock.c:13:5' '#0 inner selflock.c:7:5' \
    '#1 main selflock.c:14:5'

run 1 heddle check condition.c
has "Thread T1 waits for a signal to condition variable 'ready':" '#0 waiter condition.c:9:5' 'condition.c:18'

run 1 heddle check group.c
has 'deadlock: 2 threads are blocked forever while others finish' "Thread T1 waits for mutex 'b'" \
    "mutex 'a' is held by thread T1, which locked it at:"
hasnt 'Main thread waits'
run 1 heddle check --cflags=-DSEMAPHORE waits.c
has "Thread T1 waits for semaphore 'semaphore':" '#0 waiter waits.c:14:5'
run 1 heddle check --cflags=-DBARRIER waits.c
has "Thread T1 waits for others at barrier 'barrier':" '#0 waiter waits.c:16:5'
run 1 heddle check --cflags=-DLOOP waits.c
has "Thread T1 waits for a change of 'go', in a loop:" '#0 waiter waits.c:18:'
run 1 heddle check --cflags=-DREADERS waits.c
has "Thread T1 waits for read-write lock 'lock':" \
    "read-write lock 'lock' is held by main thread, which locked it at:" '#0 main waits.c:31:5'

# --- assertions, crashes, memory and lock misuse
run 1 heddle check assertion.c
has 'ERROR: heddle: assertion failed: get() == 80' 'In main thread:' '#0 main assertion.c:36:5' \
    'read balance = 100' 'write balance = 90' '*** assertion' 'assertion.c:36  assert(get() == 80);' \
    'SUMMARY: heddle: assertion assertion.c:36 in main' 'heddle replay heddle-out/assertion-assertion-'

run 1 heddle check crash.c
has 'ERROR: heddle: crash: SIGSEGV: invalid read of address 0x0' 'In thread T1:' '#0 look crash.c:9:12' \
    '#1 reader crash.c:15:12' 'created by main thread at:' '#0 main crash.c:21:5' 'SUMMARY: heddle: crash crash.c:9 in look'

# --- a crash inside the library is summed up where the program called it
run 1 heddle check inside.c
has 'SUMMARY: heddle: crash inside.c:7 in main' 'inside.c:7  return (int)strlen(nothing);'

run 1 heddle check --races=off uaf.c
has 'ERROR: heddle: use after free: read of 4 bytes' '#0 reader uaf.c:9:12' \
    'allocated by main thread at:' '#0 main uaf.c:15:9' 'freed by main thread at:' '#0 main uaf.c:18:5' \
    'SUMMARY: heddle: use after free uaf.c:9 in reader'
run 1 heddle check heap.c
has 'ERROR: heddle: heap overflow: write of 1 byte, 8 bytes into a block of 8' \
    'SUMMARY: heddle: heap overflow heap.c:11 in main'
run 1 heddle check --cflags=-DTWICE heap.c
has 'ERROR: heddle: double free: a block of 8 bytes, freed before by T0 at' 'SUMMARY: heddle: double free heap.c:13 in main'
run 1 heddle check --races=off freedtwice.c
has 'ERROR: heddle: double free: a block of 16 bytes, freed before by T1 at' \
    'SUMMARY: heddle: double free freedtwice.c:8 in frees'
run 1 heddle check --cflags=-DMIDDLE heap.c
has 'ERROR: heddle: invalid free: ' 'SUMMARY: heddle: invalid free heap.c:13 in main'

run 1 heddle check --leaks leak.c
has 'WARNING: heddle: leak: 10 bytes were allocated here and never freed' '#0 main leak.c:5:24'
run 0 heddle check leak.c
run 1 heddle check aborts.c
has 'ERROR: heddle: abort() was called' '#0 die aborts.c:5:5' '#1 main aborts.c:10:5'

run 1 heddle check misuse.c
has 'WARNING: heddle: lock discipline: unlock of a mutex that T0 holds, not T1' '#0 thief misuse.c:7:5'

# --- files are named as they are found from here, wherever they were compiled
mkdir -p part && cp deadlock.c part && (cd part && heddle cc -g -o program deadlock.c)
run 1 heddle check --json=out.json part/program
has 'SUMMARY: heddle: deadlock part/deadlock.c:8 in both' '#1 forward part/deadlock.c:15:5' 'deadlock.c:7 in both()  pthread_mutex_lock(a);'
run 0 python3 -c 'import json; [f] = json.load(open("out.json"))["findings"]; assert f["file"] == "part/deadlock.c", f'

# --- the same report whatever the isolation
run 1 heddle check uaf.c
same "fork isolation reports the same" "$(heddle check --isolate=fork uaf.c | grep -v ' s)$')" "$(grep -v ' s)$' <<<"$out")"

# --- long interleavings are shortened, and whole in a replay
run 1 heddle check many.c
has '… T1: 50 steps in worker()' 'read' 'main'
rows=$(grep -c 'many.c:[0-9]*  ' <<<"$out")
[ "$rows" -lt 30 ] && pass || fail "$rows rows are not shortened"
run 1 heddle replay "$(replay_file)"
hasnt 'steps in worker()'
rows=$(grep -c 'many.c:[0-9]*  ' <<<"$out")
[ "$rows" -gt 50 ] && pass || fail "only $rows rows in a replay"

# --- colour on a terminal only, and not against the user's will
run 1 script -qec 'TERM=xterm heddle check race.c' /dev/null
has $'\033[1;31m'
run 1 script -qec 'TERM=xterm NO_COLOR=1 heddle check race.c' /dev/null
hasnt $'\033[1'

# --- JSON
run 1 heddle check --stop=never --json=out.json assertion.c
run 0 python3 -m json.tool out.json
run 0 python3 - <<'PY'
import json
r = json.load(open("out.json"))
fields = ["version", "program", "explorer", "complete", "bound", "composed", "tests", "hunted", "blocked", "events", "replayed", "seconds", "finished", "in_sight", "inputs", "findings"]
assert list(r)[:16] == fields, list(r)
assert r["program"] == "assertion.c" and r["explorer"] == "unfold", r
assert r["complete"] is True and r["bound"] is None and r["inputs"] == [] and r["blocked"] == 0, r
assert r["tests"] == 6 and r["events"] > 60 and r["seconds"] > 0, r
[f] = r["findings"]
assert list(f)[:6] == ["kind", "message", "file", "line", "threads", "replay"], f
assert (f["kind"], f["file"], f["line"], f["threads"]) == ("assertion", "assertion.c", 36, [0]), f
assert f["message"] == "assertion failed: get() == 80" and f["confirmed"] is True, f
import os
assert os.path.exists(f["replay"]), f
PY
run 1 heddle check --json=out.json deadlock.c
run 0 python3 - <<'PY'
import json
r = json.load(open("out.json"))
assert r["complete"] is False and r["bound"] is None, r
[f] = r["findings"]
assert (f["kind"], f["line"], f["threads"]) == ("deadlock", 8, [0, 1, 2]), f
PY
run 1 heddle check --json=out.json crash.c
run 0 python3 - <<'PY'
import json
[f] = json.load(open("out.json"))["findings"]
assert (f["kind"], f["file"], f["line"], f["threads"]) == ("crash", "crash.c", 9, [1]), f
PY
# Which access of a race comes first depends on the execution; both are there.
for explorer in dpor unfold; do
    run 1 heddle check --explore=$explorer --stop=never --json=out.json race.c
    run 0 python3 - <<'PY'
import json
[f] = [f for f in json.load(open("out.json"))["findings"] if f["kind"] == "data-race"]
assert (f["file"], f["line"], f["previous"]) == ("race.c", 8, {"file": "race.c", "line": 8}), f
PY
done
run 0 heddle check --json=out.json --states clean.c
has 'heddle: 2 executions, everything explored, nothing found'
run 0 python3 - <<'PY'
import json
r = json.load(open("out.json"))
assert r["complete"] is True and r["findings"] == [] and r["tests"] == 2 and r["states"] == 1, r
PY

# The text of source lines, also if the program was compiled in another directory, where the source still is.
mkdir -p elsewhere/source
cp race.c elsewhere/source/moved.c
(cd elsewhere && heddle cc -g source/moved.c -o ../moved)
run 1 heddle check ./moved
has "$(grep -m1 -o 'counter++;\|counter = [^;]*;' elsewhere/source/moved.c)"
