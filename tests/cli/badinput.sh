# Bad input: one clear sentence, and exit status 2.
run 2 heddle check missing.c
has 'heddle: missing.c: No such file or directory'
run 2 heddle check race.c missing.c
has 'heddle: missing.c: No such file or directory'
run 2 heddle check ./missing
has './missing: No such file or directory'
echo 'int main(void) { return nonsense; }' >broken.c
run 2 heddle check broken.c
has 'broken.c:1:25: error:' 'heddle: broken.c does not compile'
run 2 heddle check --cflags=-O7x race.c
has 'heddle: '
run 2 heddle check .
has 'this is a directory'
run 2 heddle check race.txt
echo text >race.txt
run 2 heddle check race.txt
has 'race.txt: not executable'
chmod +x race.txt
run 2 heddle check ./race.txt
has 'race.txt: not a program that heddle cc has built'
run 2 heddle check /bin/true
has 'not built with heddle cc (build it with CC="heddle cc")'
gcc -x c -o plain - <<<'int main(void) { return 0; }'
run 2 heddle check ./plain
has 'plain: not built with heddle cc'

# --- a program that dies before main
build_before() { gcc -c -Dmain=unused "$@" before.c && heddle cc -o before race.c before.o -pthread; }
build_before
run 2 heddle check ./before
has 'before was killed by signal 11 (Segmentation fault) before main was reached'
build_before -DLEAVES
run 2 heddle check ./before
has 'before ended with status 5 before main was reached'

# --- one whose own constructor fails
run 1 heddle check before.c
has 'SUMMARY: heddle: crash before.c:11 in boom'
run 1 heddle check --cflags=-DLEAVES before.c
has 'SUMMARY: heddle: exit status before.c:7 in boom'
run 1 heddle check --cflags=-DASSERTS before.c
has 'SUMMARY: heddle: assertion before.c:9 in boom'

# --- wrong options
while IFS='|' read -r options sentence; do
    # shellcheck disable=SC2086
    run 2 heddle check $options
    has "heddle: $sentence"
done <<'OPTIONS'
|nothing to run: give C files, or a program that heddle cc has built
--explore=fast race.c|there is no explorer 'fast'; there are: unfold dpor contextual naive dfs random pct pos surw preempt delay sss if-sss dpor-sleep reach flip
--stop=later race.c|--stop is 'first' or 'never', not 'later'
--races=on race.c|--races is 'report', 'report-last' or 'off', not 'on'
--discipline=on race.c|--discipline is 'per-run', 'same-lock', 'eraser' or 'off', not 'on'
--compose --explore=unfold race.c|--compose needs --explore=sss, dpor or dfs, not 'unfold'
--explore=if-sss --leaks race.c|--leaks needs every schedule of the end of the process (--explore=dpor)
--explore=sss --dependency=no race.c|--dependency is 'conflict', 'rw' or 'trivial', not 'no'
--explore=reach --reach=all race.c|--reach is 'stateless', 'tree', 'single' or 'pairs', not 'all'
--volatile=on race.c|--volatile is 'plain' or 'atomic', not 'on'
--scheme=lifo race.c|--scheme is 'async', 'fifo' or 'causal', not 'lifo'
--isolate=vm race.c|--isolate is 'reset' or 'fork', not 'vm'
--files=disk race.c|--files is 'overlay' or 'fork', not 'disk'
--jobs=0 race.c|--jobs expects a number from 1 to 256, not 0
--depth=0 race.c|--depth expects a number from 1 to 1048576, not 0
--processors=0 race.c|--processors expects a number from 1 to 1024, not 0
--timeouts=often race.c|--timeouts=often: expected 'any' or a number from 0 to 1000000
--preemptions=2000000 race.c|--preemptions expects a number from 0 to 10000, not 2000000
--preemptions=two race.c|--preemptions expects a non-negative integer, not 'two'
--delays=2000000 race.c|--delays expects a number from 0 to 10000, not 2000000
--delays=1 --preemptions=1 race.c|--preemptions and --delays are two bounds of schedules: give one of them
--preemptions=1 --explore=dpor race.c|--preemptions needs --explore=preempt or dfs, not 'dpor'
--delays=1 --explore=preempt race.c|--delays needs --explore=delay or dfs, not 'preempt'
--preemptions=1 --explore=dfs --compose race.c|--preemptions is about single operations: not with --compose
--pct-depth=99 race.c|--pct-depth expects a number from 1 to 32, not 99
--max-tests=many race.c|--max-tests expects a non-negative integer, not 'many'
--max-tests=-1 race.c|--max-tests expects a non-negative integer, not '-1'
--time=long race.c|--time expects a non-negative number, not 'long'
--exit=one race.c|--exit is 'zero' or 'any', not 'one'
--leaks=yes race.c|--leaks takes no value
--leaks --explore=unfold race.c|--leaks needs an explorer that runs every combination of the threads' local behaviours (--explore=dpor), not 'unfold'
--explore=if-sss --visible=release --persistent=2-mld race.c|--persistent=2-mld needs --visible=acquire: it relies on steps that take locks first
--dot=x.dot --explore=dpor race.c|--dot needs an explorer that unfolds (--explore=unfold, contextual or naive) or reach, not 'dpor'
--dot=x.dot --explore=reach race.c|--dot draws the tree of all sequences: it needs --reach=tree
--frobnicate race.c|unknown option --frobnicate (see 'heddle check --help')
-x race.c|unknown option -x (see 'heddle check --help')
race.c -x 1|unknown option -x (the program's own arguments come after '--'; see 'heddle check --help')
--json|--json expects a value: --json=FILE
--sym-arg=0 race.c|--sym-arg=0: expected the number of an argument, from 1 to 64, not '0'
--toss=ran race.c|--toss=ran: expected a function, one of rand rand_r random lrand48 mrand48 arc4random arc4random_uniform
--toss=rand:2,random:0 race.c|--toss=random:0: expected how many numbers, from 1 to 65536, as in --toss=random:4
--sym-arg=1:x race.c|--sym-arg=1:x: expected a length from 1 to 4096 bytes, not 'x'
--sym-stdin=lots race.c|--sym-stdin=lots: expected a length from 1 to 4096 bytes, not 'lots'
--sym-file=conf.txt race.c|--sym-file=conf.txt: expected a name and a length, as in --sym-file=NAME:16
--sym-env=2X:3 race.c|--sym-env=2X:3: expected the name of an environment variable and a length, as in --sym-env=HOME:8
--solver-time=0 race.c|--solver-time expects a number from 1 to 3600000, not 0
./a ./b|one program at a time: arguments for ./a come after '--'
OPTIONS
run 0 heddle cc -o race race.c
run 2 heddle check --cflags=-O2 ./race
has '--cflags and --annotate are for C files, and ./race is not one'
run 2 heddle chek
has "there is no verb 'chek'"

# --- replay files
good=$(cd "$WORK" && mkdir -p good && cd good && cp "$PROGRAMS/assertion.c" . && heddle check assertion.c |
    sed -n "s|^to see it again: heddle replay |$WORK/good/|p")
run 2 heddle replay
has 'no replay file given'
run 2 heddle replay --gdb a b
has '--gdb is for one test at a time'
run 2 heddle replay missing.replay
has 'missing.replay: cannot be read: No such file or directory'
run 2 heddle replay .
has '.: '
run 2 heddle replay .
has '.: cannot be read: Is a directory'
run 2 heddle replay race.c
has 'race.c:1: this is not a heddle replay file'
run 2 heddle replay ./race
has './race: this is not a heddle replay file'
: >empty.replay
run 2 heddle replay empty.replay
has 'empty.replay:1: this is not a heddle replay file'
damage() { # SED-SCRIPT SENTENCE
    sed "$1" "$good" >damaged.replay
    run 2 heddle replay damaged.replay
    has "$2"
}
line=$(grep -n '^steps' "$good" | cut -d: -f1)
last=$(wc -l <"$good")
damage '1s/1/9/' 'damaged.replay:1: the replay file has format 9; this heddle reads format 1'
damage '$d' "damaged.replay:$last: the replay file is damaged: it is cut off (there is no 'end')"
damage "$((line + 1))s/T1/X1/" "damaged.replay:$((line + 1)): the replay file is damaged: a step like 'T1 lock file.c:13' is expected here"
damage "$((line + 1))s/T1/T999/" "damaged.replay:$((line + 1)): the replay file is damaged: this is not the number of a thread"
damage "$((line + 1))s/lock/look/" "damaged.replay:$((line + 1)): the replay file is damaged: there is no such operation"
damage "$((line + 1))s/:9/:x/" "damaged.replay:$((line + 1)): the replay file is damaged: the step has no line number"
damage "$((line + 2))d" 'there are fewer or more steps than it says'
damage 's/^depth.*/depth deep/' 'a number is expected here'
damage 's/^options.*/options speed/' 'an unknown option is set'
damage 's/^kind/sort/' 'a line that begins with an unknown word'
damage '/^program/d' 'program, version, kind, message or depth is missing'
damage '$a more' "something follows the 'end'"
head -c 100 "$good" >damaged.replay
run 2 heddle replay damaged.replay
has 'the replay file is damaged: it is cut off'

# --- full disks and places that cannot be written
run 2 heddle check --json=/dev/full clean.c
has 'heddle: /dev/full: the JSON report cannot be written: No space left on device'
run 2 heddle check --json=missing/out.json clean.c
has 'heddle: missing/out.json: the JSON report cannot be written: No such file or directory'
to_full() { "$@" >/dev/full; }
run 2 to_full heddle check clean.c
has 'heddle: the report cannot be written to standard output'
mkdir -p blocked && cp race.c blocked && (cd blocked && heddle cc -o race race.c && touch heddle-out)
cd blocked || exit 2
run 1 heddle check ./race
has 'heddle-out: exists and is not a folder' 'SUMMARY: heddle: data race race.c:8 in bump'
cd .. || exit 2

# --- inputs in a replay file
cat >input.c <<'SOURCE'
#include <assert.h>
#include <heddle.h>
int main(void)
{
    int n = heddle_int("n");
    assert(n != 42);
    return 0;
}
SOURCE
run 1 heddle check input.c
has 'With inputs: n = 42 (int)'
good=$(ls heddle-out/input-assertion-*.replay)
line=$(grep -n '^input ' "$good" | cut -d: -f1)
run 1 heddle replay "$good"
has 'With inputs: n = 42 (int)'
damage "${line}s/T0/0/" "damaged.replay:$line: the replay file is damaged: 'input' expects a thread first, as in 'input T0 3 97 name'"
damage "${line}s/42/many/" "damaged.replay:$line: the replay file is damaged: 'input' expects a value that is not negative after the number, as in 'input T0 3 97 name'"
sed "${line}s/42/41/" "$good" >other.replay
run 0 heddle replay other.replay
has 'the program ended normally'
