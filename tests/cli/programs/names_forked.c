/* Two processes share a structure that no variable contains. */
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct state {
    int other;
    atomic_int turns;
};

int main(void)
{
    struct state *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!fork()) {
        s->turns++;
        _exit(0);
    }
    s->turns++;
    wait(NULL);
    assert(s->turns == 1);
    return 0;
}
