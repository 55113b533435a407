// A process of a system. What it keeps, in its own variables and in the C library's, is its own: its variables,
// thread-locals, constructors, handlers of exit, the state of getopt and strtok, the environment, signals.
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int constructed, count, cleaned, caught;
static __thread int own = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void construct(void)
{
    constructed++;
}

__attribute__((destructor)) static void destruct(void)
{
    assert(cleaned == 1);
}

static void clean(void)
{
    cleaned++;
}

static void handle(int signal)
{
    caught += signal == SIGUSR1;
}

static void step(void)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument)
{
    own++;
    step();
    assert(own == 4);
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int option, wanted = 0, letters = 0;
    char text[] = "a b c", mine[16];
    atexit(clean);
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    while ((option = getopt(argc, argv, "xyn:")) != -1) {
        step();
        wanted = option == 'n' ? atoi(optarg) : wanted;
        letters += option != 'n';
    }
    strtok(text, " ");
    snprintf(mine, sizeof mine, "%d", wanted);
    setenv("MINE", mine, 1);
    step();
    assert(!strcmp(strtok(NULL, " "), "b") && !strcmp(getenv("MINE"), mine));
    pthread_join(t, NULL);
    raise(SIGUSR1);
    assert(constructed == 1 && own == 3 && caught == 1);
    assert(wanted == 7 && letters == 2 && optind == argc);
    printf("%d %s\n", (int)getpid(), getenv("HEDDLE_RANK") ? getenv("HEDDLE_RANK") : "none");
    return getenv("FAIL") ? count != 99 : 0;
}
