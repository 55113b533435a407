# Programs that need a process per execution, kernels that need it for all of them, and limits of heddle.
cat >effect.c <<'END'
#include <pthread.h>
#include <unistd.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    unlink("nothing");
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
}
END
run 0 heddle suite effect.c -o suite --json=out.json
has "2 tests in suite for 2 goals"
run 0 heddle replay suite
has "2 of 2 tests pass"

# a kernel without syscall user dispatch
run 0 gcc -o without_dispatch "$ROOT/tests/tool/without_dispatch.c"
grep -v unlink effect.c >plain.c
run 0 ./without_dispatch heddle check --json=out.json plain.c
has "this kernel has no syscall user dispatch (Linux 5.11): every execution now runs in a process of its own" \
    "2 executions, everything explored, nothing found"
hasnt "fresh process"
run 0 ./without_dispatch heddle check --isolate=fork plain.c
hasnt "syscall user dispatch"
rm -f suite
run 0 ./without_dispatch heddle suite plain.c -o suite
run 0 ./without_dispatch heddle replay suite
has "2 of 2 tests pass"

# a limit that one order of threads meets: no failure, but not complete
sed 's/    unlink.*/    int s = 0;/; s/    pthread_join(t, NULL);/&\n    if (x == 1)\n        s = system("true");\n    return s < -1;/' effect.c |
    sed 's/x++;/x = x * 2 + (unused != NULL);/; s/work, NULL/work, \&x/; s/<unistd.h>/<stdlib.h>/' >limit.c
rm -f suite
run 3 heddle suite limit.c -o suite --json=out.json
has "system is not modelled" "not everything was explored (model-limit)"
same "complete" "$(field complete)" False
same "failing" "$(field failing)" 0
run 0 grep -x "complete no" suite
run 3 heddle replay suite
has "1 of 2 tests pass, 1 ends at a limit of heddle"
