/* A function whose name does not fit beside its steps. */
#include <assert.h>
#include <pthread.h>

static int level;

static void *raises_the_level_of_what_is_watched_by_the_main_thread(void *arg)
{
    level = 1;
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, raises_the_level_of_what_is_watched_by_the_main_thread, NULL);
    assert(level == 0);
    return pthread_join(other, NULL);
}
