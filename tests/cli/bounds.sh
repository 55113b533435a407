# Where a check stops short, its verdict says so, and so does its exit status.
run 3 heddle check --max-tests=7 --json=out.json long.c
has 'heddle: 7 executions, stopped at --max-tests=7, nothing found'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"], r["tests"]) == (False, "max-tests", 7), r'
run 0 heddle cc -o long long.c
run 3 heddle check --time=0.3 ./long
has 'stopped at --time=0.3, ' ', nothing found'
run 0 heddle cc -o factors factors.c
for explorer in unfold dpor; do
    run 3 timeout 30 heddle check --explore=$explorer --time=1 --json=out.json ./factors # a minute of questions
    has ', stopped at --time=1, '
    run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"]) == (False, "time"), r'
done
run 3 heddle check --solver-time=50 --json=out.json factors.c
has 'factors.c:9: the solver did not decide in time whether the branch can go the other way'

# --- bounds of schedules: the verdict states the largest one that was finished
finished='import json; r = json.load(open("out.json")); '
run 3 heddle check --preemptions=1 --json=out.json long.c
has '1794 executions, stopped at --preemptions=1, no failure with at most 1 preemption, nothing found'
run 0 python3 -c "$finished"'assert (r["complete"], r["bound"], r["finished"], r["explorer"], r["hunted"]) == (False, "preemptions", {"preemptions": 1}, "preempt", 0), r'
run 3 heddle check --delays=0 --json=out.json long.c
has '1 execution, stopped at --delays=0, no failure with at most 0 delays, nothing found'
run 0 python3 -c "$finished"'assert (r["bound"], r["finished"], r["explorer"]) == ("delays", {"delays": 0}, "delay"), r'
run 3 heddle check --preemptions=9 --max-tests=1800 --json=out.json long.c
has '1800 executions, stopped at --max-tests=1800, no failure with at most 1 preemption, nothing found'
run 3 heddle check --max-tests=100000 --json=out.json long.c # its hunter
has ', stopped at --max-tests=100000, no failure with at most 1 preemption, nothing found'
run 0 python3 -c "$finished"'assert r["finished"] == {"preemptions": 1} and r["hunted"] > 1794, r'
run 3 heddle check --max-tests=7 --json=out.json long.c
hasnt 'no failure with'
run 0 python3 -c "$finished"'assert r["finished"] == {}, r'
run 0 heddle check --preemptions=9 clean.c
has ', everything explored, nothing found'
hasnt 'no failure with'
# Not where executions are cut short, nor where there is a failure.
run 3 heddle check --preemptions=0 --depth=20 long.c
has '6 executions, not complete: 6 executions were cut off at --depth=20'
hasnt 'no failure with'
run 1 heddle check --preemptions=2 --stop=never --races=off assertion.c
hasnt 'no failure with'

# --- how many executions are in sight
run 3 heddle check --explore=dpor --max-tests=252 --json=out.json orders.c # of 5040
run 0 python3 -c "$finished"'assert 5040 / 3 < r["in_sight"] < 5040 * 3, r'
run 0 heddle check --explore=dpor --json=out.json orders.c
run 0 python3 -c "$finished"'assert (r["tests"], r["in_sight"]) == (5040, None), r'

# --- the limits hold in the middle of a step
run 0 heddle cc -o endless-loop endless.c
run 3 heddle check --time=0.5 --json=out.json ./endless-loop # one execution takes seconds
has ', stopped at --time=0.5, nothing found'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["bound"], r["hung"], r["deaths"]) == ("time", 0, 0), r'
run 3 heddle check --explore=unfold --memory=10 --json=out.json wide.c
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["bound"], r["tests"], r["deaths"]) == ("memory", 0, 0), r'
run 0 heddle cc -o wide wide.c
run 3 heddle check --time=1 --memory=10 ./wide
has 'the explorer takes too much memory: --explore=dpor continues alone'
run 1 heddle check --json=out.json tokens.c
has 'How it came about (minimising was cut off, so there may be a shorter way):'
run 0 python3 -c 'import json; f = json.load(open("out.json"))["findings"][0]; assert (f["kind"], f["confirmed"], f["minimised"]) == ("assertion", True, False), f'
run 1 heddle check --json=out.json race.c
hasnt 'minimising was cut off'
run 0 python3 -c 'import json; assert json.load(open("out.json"))["findings"][0]["minimised"]'
run 3 heddle check --explore=unfold --memory=1 --json=out.json long.c
has 'stopped at the memory limit (--memory=MB raises it, --explore=dpor needs little)'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"]) == (False, "memory"), r'
run 3 heddle check --explore=dpor --memory=1 --max-tests=100 long.c
has 'stopped at --max-tests=100'
run 3 heddle check --explore=dpor --jobs=4 --memory=1 --max-tests=100 long.c # a quarter of it for each
has 'stopped at the memory limit'
run 0 heddle check --explore=unfold --json=out.json orders.c
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["explorer"], r["tests"]) == (True, "unfold", 5040), r'
run 0 heddle check --json=out.json orders.c # dpor has nothing left first: 5040, and what unfold has run meanwhile
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["explorer"], r["tests"]) == (True, "dpor", 5315), r'
run 0 heddle check --memory=1 --json=out.json orders.c
has 'the explorer takes too much memory: --explore=dpor continues alone' 'executions, everything explored with critical sections as single steps, nothing found'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert r["complete"] and r["explorer"] == "dpor" and 5040 <= r["tests"] < 5315, r'
run 3 heddle check --memory=3 --dot=out.dot orders.c
has 'stopped at the memory limit'
run 3 heddle check --explore=random clean.c
has '10000 executions, stopped at --max-tests=10000, nothing found'
run 3 heddle check --explore=pct --max-tests=50 clean.c
has '50 executions, stopped at --max-tests=50'
run 3 heddle check --depth=20 --max-tests=5 long.c
has 'not complete: 5 executions were cut off at --depth=20' \
    'the depth of an execution reached its bound (--depth): thread T1 performed 20 operations: 20 at long.c:9'
run 3 heddle check --depth=30 --max-tests=5 --json=out.json lines.c
run 0 python3 -c 'import json; n = json.load(open("out.json"))["notices"]; assert len(n) == 1 and n[0].endswith("thread T1 performed 30 operations: 20 at lines.c:11, 10 at lines.c:10"), n'
# An atomic block without an end: nothing can come behind it.
for explorer in dpor unfold dfs; do
    run 3 heddle check --depth=50 --explore=$explorer endless_block.c
    has ' executions were cut off at --depth=50' 'thread T1 performed 50 operations: 50 at endless_block.c:10'
done
run 3 heddle check --json=out.json watch.c
has 'heddle: system is not modelled yet (watch.c:5 in main): 1 execution ended there; to see one: heddle replay heddle-out/' 'ended at a limit of heddle: system is not modelled yet (watch.c:5)'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"], r["findings"][0]["kind"]) == (False, "model-limit", "model-limit"), r'
# A limit does not end the search, and does not hide the failure in the other branch.
run 1 heddle check --json=out.json branch.c
has 'ERROR: heddle: assertion failed: seen != WRONG' 'heddle: system is not modelled yet (branch.c:32 in main): ' 'stopped at the first finding' '1 finding ('
follows 'ERROR: heddle: assertion' 'heddle: system is not modelled yet'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert [f["kind"] for f in r["findings"]] == ["assertion", "model-limit"], r'
run 3 heddle check --cflags=-DRIGHT --json=out.json branch.c
has '3 executions, not complete: 2 executions ended at a limit of heddle: system is not modelled yet (branch.c:32), and at 1 more (see above), nothing found'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["bound"], [(f["line"], f["executions"]) for f in r["findings"]]) == ("model-limit", [(32, 1), (30, 1)]), r'
run 3 heddle check --json=out.json endless.c
has 'a thread runs without any operation (' 'in spin)'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"]) == (False, "hang"), r'
# Executions that spend their time at the same operation are not one endless loop.
run 0 heddle check --explore=dpor laborious.c
has '6 executions, everything explored, nothing found'
hasnt 'not deterministic'
run 3 heddle check --json=out.json hungry.c
has 'not complete: in 1 execution the heap exceeds 1024 MB (hungry.c:6)'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"], r["full"], r["hung"]) == (False, "heap", 1, 0), r'
# Output and system calls without end: FILE is what it does, and the bound that it meets.
for what in 'fwrite(block, 1, sizeof block, file);wrote more than 32 MB' 'putc(1, file), fflush(file);made more than 131072 system calls' \
    'printf("%s", block + 1);wrote more than 32 MB' 'fopen("/dev/null", "r");made more than 131072 system calls' \
    'remove("flood.none");changed more than 16384 files'; do
    run 3 heddle check "--cflags=-DWHAT='${what%;*}'" --json=out.json flood.c
    has "not complete: 1 execution ${what#*;} (flood.c:10)"
    run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"], r["endless"], r["hung"]) == (False, "output", 1, 0), r'
done
run 3 heddle check --json=out.json chance.c
has 'execution 1 differs in a fresh process: operation ' ' at chance.c:' 'stopped because the program'
run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"], len(r["notices"])) == (False, "nondeterminism", 3), r'
run 0 heddle check nothreads.c
has 'heddle: 1 execution, everything explored, nothing found'

# --- Ctrl-C and SIGTERM
# worker PROGRAM: the process that runs it, if there is one
worker() {
    local link
    for link in /proc/[0-9]*/exe; do
        [ "$(readlink "$link")" = "$PWD/$1" ] && basename "${link%/exe}"
    done
}
interrupt() { # SIGNAL PROGRAM COMMAND…: sends it the signal half a second after its worker has started
    local signal=$1 program=$2 child tries=0
    shift 2
    "$@" >interrupted.txt 2>&1 &
    child=$!
    while [ -z "$(worker "$program")" ] && [ $((tries += 1)) -lt 200 ]; do sleep 0.1; done
    sleep 0.5
    kill -"$signal" "$child"
    wait "$child"
}
# Background commands of a shell ignore SIGINT: python gives it back.
with_sigint='import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])'
for signal in INT TERM; do
    run 3 interrupt $signal long python3 -c "$with_sigint" heddle check --json=out.json ./long
    out=$(cat interrupted.txt)
    has 'interrupted, ' ', nothing found'
    run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["complete"], r["bound"]) == (False, "interrupted") and r["tests"] > 0, r'
    # In the middle of an execution: it is not finished, and nothing stays behind.
    run 3 interrupt $signal endless-loop python3 -c "$with_sigint" heddle check --json=out.json ./endless-loop
    run 0 python3 -c 'import json; r = json.load(open("out.json")); assert (r["bound"], r["tests"], r["hung"]) == ("interrupted", 0, 0), r'
    same "no worker is left" "$(worker endless-loop)" ""
done

# --- compilers that run on: they end with their children, and leave nothing behind
mkdir stuck temporary
cat >stuck/clang-19 <<'STUB'
#!/bin/bash
# The STEP that is meant (compile or link) runs on, and so does a child of it. Other steps are left to the real clang.
trap '' TERM
output=
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && output=$2
    arguments+=("$1")
    shift
done
case $output in */part-*) ;; *heddle-out/*) step=link ;; *.bc) step=compile ;; esac
[ "$step" = "$STEP" ] || exec "$REAL" "${arguments[@]}"
echo unfinished >"$output"
[ $STEP = link ] || echo unfinished >"$output.tmp"
python3 -c 'import sys, time; block = b"1" * (int(sys.argv[1]) << 20); time.sleep(1000)' "${TAKEN:-1}" &
echo $$ $! >>stuck/started
wait
STUB
chmod +x stuck/clang-19
REAL=$(command -v clang-19)
export REAL STEP
# stuck STATUS SIGNAL COMMAND…: runs it with such a compiler, and sends it the signal (0: none) when that runs
stuck() {
    local status=$1 signal=$2 child tries=0
    shift 2
    rm -rf stuck/started heddle-out
    TMPDIR=$PWD/temporary PATH=$PWD/stuck:$PATH python3 -c "$with_sigint" "$@" >interrupted.txt 2>&1 &
    child=$!
    while [ ! -s stuck/started ] && [ $((tries += 1)) -lt 600 ]; do sleep 0.1; done
    [ "$signal" = 0 ] || kill -"$signal" "$child"
    wait "$child"
    same "exit status of $*" $? "$status"
    out=$(cat interrupted.txt)
    for process in $(cat stuck/started); do
        # A child that was killed may be a zombie until init collects it.
        tries=0
        while grep -qs '^State:[[:space:]]*[RSDTt]' "/proc/$process/status" && [ $((tries += 1)) -lt 100 ]; do sleep 0.1; done
        [ $tries -lt 100 ] && pass || fail "a compiler is left: $*"
    done
    same "no file is left" "$(ls -A temporary heddle-out 2>/dev/null)" $'heddle-out:\n\ntemporary:'
}
for STEP in compile link; do
    stuck 3 0 heddle check --time=2 clean.c
    has 'heddle: the time limit was reached while the program was being built; nothing was checked'
    for signal in INT TERM; do
        stuck 3 $signal heddle check clean.c
        has 'heddle: interrupted while the program was being built; nothing was checked'
    done
done
STEP=compile
TAKEN=600 stuck 3 0 heddle check --memory=1 clean.c
has 'heddle: a compiler took more than 512 MB of memory (--memory=MB allows more); nothing was checked'
stuck 3 TERM heddle check --np=2 clean.c
has 'heddle: interrupted while the program was being built'
run 0 heddle suite clean.c -o stuck.suite
for command in 'suite clean.c -o other.suite' 'suite --update=stuck.suite' 'replay stuck.suite' 'replay --test=1 stuck.suite'; do
    stuck 3 TERM heddle $command
    has 'heddle: interrupted while the program was being built'
done

# --- the progress line: on a terminal only, gone at the end
run 3 heddle check --time=1 ./long
hasnt ' in sight'
run 3 script -qec 'TERM=xterm heddle check --time=1.5 ./long' /dev/null
has ' tests' '/s, 0 findings' ' in sight' $'\r\033[Kheddle: '
tail=${out##*$'\033[K'}
case $tail in *executions,*\ stopped*) pass ;; *) fail "the progress line is not cleared: $tail" ;; esac
