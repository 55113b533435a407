# Failures, bounds, Ctrl-C.
sed -i 's/assert(counter >= 2);/assert(counter == 11);/' counter.c
rm -f suite
run 1 heddle suite counter.c -o suite --json=out.json
has "assertion" "heddle replay suite --test="
[ "$(field failing)" -gt 0 ] && pass || fail "no test shows the failure"
run 1 heddle replay suite
rm -f suite
run 0 heddle cc -DA=7 -DB=7 -o fib7 "$ROOT/bench/tables/fib.c"
run 3 heddle suite --time=0.5 ./fib7 -o suite --net=contextual --json=out.json
has "not everything was explored (time)"
same "bound" "$(field bound)" time
run 0 heddle replay suite
rm -f suite
run 3 heddle suite --memory=8 --cflags="-DA=7 -DB=7" "$ROOT/bench/tables/fib.c" -o suite --method=greedy --json=out.json
has "not everything was explored (memory)"
same "bound" "$(field bound)" memory
cat >slow.c <<'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused)
{
    for (int i = 0; i < 6; i++)
        x = i;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    for (volatile long i = 0; i < 50000000; i++) { }
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
END
rm -f suite out.json # an execution takes a tenth of a second or more
run 0 heddle cc -O2 -o slow slow.c
heddle suite --time=0.2 ./slow -o suite --method=greedy --json=out.json >out.txt 2>&1
same "the status at --time, or if not even one execution has ended by then" "$?" "$([ -e out.json ] && echo 3 || echo 2)"
if [ -e out.json ]; then
    [ "$(field executions)" -lt 100 ] && pass || fail "--time does not stop slow executions: $(field executions) of 924"
else
    grep -q 'nothing was explored before the end' out.txt && pass || fail "$(cat out.txt)"
fi
rm -f suite
timeout -s INT 2 heddle suite ./fib7 -o suite --net=contextual >out.txt 2>&1
same "the status after Ctrl-C" "$?" 124
if [ -e suite ]; then # on a busy machine there is no time to run a test
    run 0 heddle replay suite
else
    grep -q "the end came before a test had been run: suite was not written" out.txt && pass || fail "$(cat out.txt)"
fi

# Eight times as many tests take about eight times the time of the processor: a suite is written in linear time.
cat >cpu.py <<'END'
import os, subprocess, sys
subprocess.run(["heddle", "suite", *sys.argv[1:], "--method=greedy", "-o", "linear"], check=True, stdout=subprocess.DEVNULL)
print(os.times().children_user)
END
for n in 7 8; do
    run 0 heddle cc -DN=$n -DTERMS=10 -o pi$n "$ROOT/bench/field/pi.c"
    run 0 python3 cpu.py ./pi$n
    declare "cpu$n=$out"
done
run 0 python3 -c "small, large = $cpu7, $cpu8; print(large / small); assert large < 18 * small, (small, large)"
# A signal after everything was explored, while the goals are collected: the suite is for the first events.
cat >later.py <<'END'
import os, signal, subprocess, sys, time
run = subprocess.Popen(["heddle", "suite", "./pi8", "--method=greedy", "-o", "later"], stdout=subprocess.PIPE, text=True)
def ticks():
    return sum(map(int, open("/proc/%d/stat" % run.pid).read().rsplit(")", 1)[1].split()[11:13]))
while ticks() < os.sysconf("SC_CLK_TCK") // 10: # the worker explores, so this is what comes after it
    time.sleep(0.002)
run.send_signal(signal.SIGTERM)
print(run.communicate()[0])
sys.exit(run.returncode)
END
run 3 python3 later.py
has 'not everything was explored (interrupted): the suite covers '
hasnt 'no suite is smaller'
