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
run 1 heddle check once.c
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
sed 's/assert(get() == 80)/assert(get() >= 80)/' "$PROGRAMS/assertion.c" >assertion.c
run 0 heddle cc -g -o heddle-out/assertion assertion.c
run 0 heddle replay "$file"
has 'the program ended normally, with exit status 0' 'did not happen again'
sed -e 's/    int v = balance;/    int v = balance;\n    balance = v;/' "$PROGRAMS/assertion.c" >assertion.c
run 0 heddle cc -g -o heddle-out/assertion assertion.c
run 1 heddle replay "$file"
has 'the program has changed since: step 3 of ' "'T1 unlock assertion.c:11', no longer fits" 'assertion failed: get() == 80'
cp nothreads.c assertion.c
run 0 heddle cc -g -o heddle-out/assertion assertion.c
run 3 heddle replay "$file"
has "the program has changed since: step 1 of " "'T1 lock assertion.c:9', no longer fits" 'did not happen again'
cp "$PROGRAMS/uaf.c" assertion.c
run 0 heddle cc -g -o heddle-out/assertion assertion.c
run 3 heddle replay "$file"
has 'not the recorded failure'
rm heddle-out/assertion
run 2 heddle replay "$file"
has 'heddle-out/assertion: No such file or directory'
cp /bin/true heddle-out/assertion
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
hasnt 'does not fit'
