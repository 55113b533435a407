// A worker that carries out one command from a queue of one place; 'q' is not expected.
// EXPECT: finding assertion
// INPUTS: command == ord("q")
// TESTS: dpor=6 dfs=6 unfold=6 contextual=6 naive=6
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static char command;
static int full, done;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&c, &m);
    switch (command) {
    case 'a':
        done = 1;
        break;
    case 'q':
        assert(0);
    }
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    command = heddle_char("command");
    full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
