/* Every allocation fails once, in turn: exploring ends well or with status 70
 * and the message, never in a crash or with a wrong count. */
#include "unit/scripted.h"
#include "unit/test.h"

#include "base/error.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct failing_memory {
    hd_memory memory; /* must be first */
    uint32_t allocations, fails_at; /* fails_at 0: never */
} failing_memory;

static void *resize(hd_memory *self, void *old, size_t old_size, size_t new_size)
{
    failing_memory *m = (failing_memory *)self;
    if (new_size && ++m->allocations == m->fails_at)
        return NULL;
    return hd_heap.resize(&hd_heap, old, old_size, new_size);
}

static const hd_script_program program = { .threads = {
                                               MAIN_OF_3,
                                               { LOCK(0), WRITE(0, 1, 1), UNLOCK(0), CHOOSE(2) },
                                               { LOCK(0), WRITE(0, 1, 2), UNLOCK(0), READ(0, 1) },
                                               { READ(0, 1), SEM_POST(0) },
                                           } };

static uint64_t explore_with(const char *explorer, failing_memory *m)
{
    static exploration x;
    memset(&x, 0, sizeof x);
    explore(&x, &program, explorer, &m->memory);
    return x.end == HD_END_COMPLETE ? x.counts.tests : 0;
}

/* In a child: 0 if the count is right, 1 if it is not; 70 by itself. */
static int outcome_of(const char *explorer, uint32_t fails_at, uint64_t expected, char *message, size_t size)
{
    int line[2];
    if (pipe(line))
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        failing_memory m = { { resize }, 0, fails_at };
        dup2(line[1], STDERR_FILENO);
        _exit(explore_with(explorer, &m) != expected);
    }
    close(line[1]);
    ssize_t length = read(line[0], message, size - 1);
    message[length > 0 ? length : 0] = '\0';
    close(line[0]);
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void fail_each_in_turn(const char *explorer)
{
    failing_memory whole = { { resize }, 0, 0 };
    uint64_t tests = explore_with(explorer, &whole);
    CHECK(tests > 0);
    for (uint32_t n = 1; n <= whole.allocations; n += 1 + n / 20) {
        char message[400];
        int status = outcome_of(explorer, n, tests, message, sizeof message);
        bool told = status == HD_EXIT_INTERNAL && strstr(message, "out of memory");
        if (status != 0 && !told)
            hd_test_failed(
                __FILE__, __LINE__, "%s, allocation %u fails: status %d, '%s'", explorer, n, status, message);
    }
}

TEST(an_allocation_that_fails_in_dpor_is_told)
{
    fail_each_in_turn("dpor");
}

TEST(an_allocation_that_fails_in_dfs_is_told)
{
    fail_each_in_turn("dfs");
}
