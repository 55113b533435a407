# The same failure, every time; in gdb; and against a program that has changed.
replay_file() { sed -n 's/^to see it again: heddle replay //p' <<<"$out" | head -n 1; }

run 1 heddle check talk.c -- 'two words' 'last\one'
file=$(replay_file)
hasnt 'words, the last'
run 1 heddle replay "$file"
first=$out
has '3 words, the last is <last\one>' 'assertion failed: turn == 0' "to see it again: heddle replay $file"
run 1 heddle replay "$file"
same "a second replay shows the same" "$out" "$first"
mkdir -p elsewhere && cd elsewhere || exit 2
run 1 heddle replay "../$file"
cd .. || exit 2
same "the file begins with its format" "$(head -n 1 "$file")" 'heddle replay 1'
same "the file names its arguments" "$(grep '^argument' "$file")" $'argument two words\nargument last\\\\one'
same "the file ends with its end" "$(tail -n 1 "$file")" 'end'
grep -qx 'T1 store .*talk.c:10' "$file" && pass || fail "no step 'T1 store talk.c:10' in $(cat "$file")"
run 1 heddle check talk.c -- other
same "other arguments have another file" "$(ls heddle-out/talk-*.replay | wc -l)" 2

# --- every kind comes again
for program in race deadlock crash uaf misuse condition; do
    run 1 heddle check $program.c
    file=$(replay_file)
    summary=$(grep SUMMARY <<<"$out")
    run 1 heddle replay "$file"
    has "$summary"
done

# --- what a fresh process does not show again is said to be unconfirmed
run 1 heddle check --files=fork once.c
has 'assertion failed: !seen' 'NOT CONFIRMED: the same schedule has a different outcome in a fresh process' \
    '1 of them not confirmed by a replay' 'a file is opened for writing: every execution now runs in a process of its own'

# --- a process that is killed in the middle
run 1 heddle check killed.c
has 'ERROR: heddle: crash: the process was killed' 'SUMMARY: heddle: crash (the process was killed)'
run 1 heddle replay "$(replay_file)"
has 'the process was killed in the middle of the execution'

# --- gdb stops at the failing operation, in the user's frame
in_gdb() { printf 'info line\nbt\nquit\n' | heddle replay --gdb "$1"; }
run 1 heddle check assertion.c
run 1 in_gdb "$(replay_file)"
has 'main () at assertion.c:36' '36	    assert(get() == 80);'
run 1 heddle check race.c
run 1 in_gdb "$(replay_file)"
has 'in bump () at race.c:8' 'in worker (arg='
run 1 heddle check crash.c
run 1 in_gdb "$(replay_file)"
has 'in look (q=0x0) at crash.c:9' 'in reader ('
run 1 heddle check deadlock.c
file=$(replay_file)
run 1 in_gdb "$file"
has 'at deadlock.c:8' 'in backward ('
both_threads() { printf 'heddle-thread 1\nbt\nquit\n' | heddle replay --gdb "$1"; }
run 1 both_threads "$file"
has 'in forward ('

# --- a program that has changed
run 1 heddle check assertion.c
file=$(replay_file)
program=$(sed -n 's/^program //p' "$file")
sed 's/assert(get() == 80)/assert(get() >= 80)/' "$PROGRAMS/assertion.c" >assertion.c
run 0 heddle cc -g -o "$program" assertion.c
run 0 heddle replay "$file"
has 'the program ended normally, with exit status 0' 'did not happen again'
sed -e 's/    int v = balance;/    int v = balance;\n    balance = v;/' "$PROGRAMS/assertion.c" >assertion.c
run 0 heddle cc -g -o "$program" assertion.c
run 1 heddle replay "$file"
has 'the program has changed since: step 3 of ' "'T1 unlock assertion.c:11', no longer fits" 'assertion failed: get() == 80'
cp nothreads.c assertion.c
run 0 heddle cc -g -o "$program" assertion.c
run 3 heddle replay "$file"
has "the program has changed since: step 1 of " "'T1 lock assertion.c:9', no longer fits" 'did not happen again'
cp "$PROGRAMS/uaf.c" assertion.c
run 0 heddle cc -g -o "$program" assertion.c
run 3 heddle replay "$file"
has 'not the recorded failure'
rm "$program"
run 2 heddle replay "$file"
has "$program: the program that this was recorded with does not exist any more"
cp /bin/true "$program"
run 2 heddle replay "$file"
has 'not built with heddle cc'

# A replay runs the program it was recorded with, also after the source was checked with other flags.
cat >flags.c <<'END'
#include <assert.h>
#include <pthread.h>
static _Atomic int x;
static void *add(void *unused)
{
#ifdef TWICE
    x++;
#endif
    x++;
    return unused;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    assert(x == 0);
    pthread_join(a, 0);
    return 0;
}
END
run 1 heddle check flags.c
replay=$(grep -o 'heddle-out/flags-assertion-[0-9a-f]*.replay' <<<"$out" | head -n 1)
run 1 heddle check --cflags=-DTWICE flags.c
run 1 heddle replay "$replay"
hasnt 'no longer fits'

# … nor after the source has changed, nor after another source with the same name was checked.
sed -i 's/    x++;/    x++;\n    x++;/' flags.c
run 1 heddle check flags.c
run 1 heddle replay "$replay"
hasnt 'no longer fits'
mkdir -p other && sed 's/x == 0/x < 9/' flags.c >other/flags.c
run 0 heddle check other/flags.c
run 1 heddle replay "$replay"
hasnt 'no longer fits'
same "checking again makes the same program" "$(ls heddle-out/flags-???????? | wc -l)" \
    "$(heddle check flags.c >/dev/null 2>&1; ls heddle-out/flags-???????? | wc -l)"

# Threads in one slot, one after the other: the replay file and JSON name them as the report does.
cat >lives.c <<'END'
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *factor)
{
    pthread_mutex_lock(&lock);
    sum = 2 * sum + (long)factor * heddle_range(0, 1, "bit");
    pthread_mutex_unlock(&lock);
    return factor;
}

int main(void)
{
    pthread_t t, u;
    for (long i = 0; i < 18; i++) {
        pthread_create(&t, NULL, add, (void *)(long)(i == 17));
        pthread_join(t, NULL);
    }
    pthread_create(&t, NULL, add, (void *)10);
    pthread_create(&u, NULL, add, (void *)1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(sum != 4 + 2 + 10);
}
END
run 1 heddle check lives.c --json=lives.json
replay=$(grep -o 'heddle-out/lives-assertion-[0-9a-f]*.replay' <<<"$out" | head -n 1)
has '  T20 ' '  T19 '
same "the threads of the last steps" "$(grep '^T' "$replay" | tail -n 8 | cut -d' ' -f1 | uniq | tr '\n' ' ')" "T20 T19 "
same "the slots" "$(grep '^slots' "$replay" | tail -n 1)" "slots 16 16 16 15"
same "the inputs" "$(grep '^input T1[7-9]\|^input T20' "$replay" | sort)" $'input T17 0 0 bit\ninput T18 0 1 bit\ninput T19 0 1 bit\ninput T20 0 1 bit'
run 0 python3 -c 'import json
inputs = json.load(open("lives.json"))["findings"][0]["inputs"]
assert sorted((i["thread"], i["number"]) for i in inputs) == [(t, 0) for t in range(1, 21)], inputs'
run 1 heddle replay "$replay"
hasnt 'no longer fits'
sed 's/^T20 lock/T19 lock/' "$replay" >other.replay
run 3 heddle replay other.replay
has "'T20 read lives.c:11', no longer fits"
# Files of earlier versions name slots.
python3 - "$replay" <<'END'
import re, sys
slots, lines, seen = [0], [], {}
for line in open(sys.argv[1]):
    word, *rest = line.split()
    if word == "slots":
        slots += map(int, rest)
        continue
    if re.fullmatch(r"T\d+", word):
        line = "T%d %s\n" % (slots[int(word[1:])], " ".join(rest))
    if word == "input":
        slot = slots[int(rest[0][1:])]
        line = "input T%d %d %s\n" % (slot, seen.get(slot, 0), " ".join(rest[2:]))
        seen[slot] = seen.get(slot, 0) + 1
    lines.append(line)
open("before.replay", "w").writelines(lines)
END
run 1 heddle replay before.replay
hasnt 'no longer fits'
sed '/^slots/s/16/0/' "$replay" >other.replay
run 2 heddle replay other.replay
has "'slots' expects the slots of T1, T2, …"
sed '/^slots/d' "$replay" >other.replay # T19 is a slot then, which no thread has
run 3 heddle replay other.replay
# A suite of the program: each test says which threads its numbers stand for.
run 1 heddle suite lives.c -o lives.suite
grep -q '^slots 16 16 16 15$' lives.suite && pass || fail "the suite does not say which slots threads had"
grep -q '^goal [0-9a-f]* slot [0-9]* ' lives.suite && pass || fail "goals do not name slots"
grep -q '^T20 lock' lives.suite && pass || fail "steps do not name threads"
run 1 heddle replay lives.suite
hasnt 'no longer fit'
