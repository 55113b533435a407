/* A queue of jobs: the parent writes numbers to a pipe, two workers read them, and write the squares to another pipe.
 *
 * A worker ends when there are no more jobs: when all ends of the first pipe that can be written to are closed. The
 * workers have inherited such ends, and do not close them: each waits for the other, and the parent for both. With
 * -DREPAIRED they do. */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2 };

#ifdef FEW
enum { JOBS = 1, SUM = 1 };
#else
enum { JOBS = 2, SUM = 5 };
#endif

static int jobs[2], answers[2];

static _Noreturn void work(void)
{
    int job;
#ifdef REPAIRED
    close(jobs[1]);
#endif
    close(answers[0]);
    while (read(jobs[0], &job, sizeof job) == sizeof job) {
        job *= job;
        assert(write(answers[1], &job, sizeof job) == sizeof job);
    }
    exit(0);
}

int main(void)
{
    int sum = 0, answer;
    assert(!pipe(jobs) && !pipe(answers));
    for (int i = 0; i < WORKERS; i++) {
        pid_t pid = fork();
        assert(pid >= 0);
        if (!pid)
            work();
    }
    close(jobs[0]);
    close(answers[1]);
    for (int i = 1; i <= JOBS; i++)
        assert(write(jobs[1], &i, sizeof i) == sizeof i);
    close(jobs[1]);
    while (read(answers[0], &answer, sizeof answer) == sizeof answer)
        sum += answer;
    assert(sum == SUM);
    for (int i = 0; i < WORKERS; i++) {
        int status;
        assert(wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status));
    }
    return 0;
}
