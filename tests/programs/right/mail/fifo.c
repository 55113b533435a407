// With FIFO delivery a thread's messages do not overtake each other; beside them comes that of another thread, at each of
// three places. The receive that takes it comes before or after each later send.
// OPTIONS: --scheme=fifo
// EXPECT: complete
// TESTS: 17
// DFS: yes
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *twice(void *unused)
{
    heddle_send(0, 1, 1, "", 0);
    heddle_send(0, 1, 2, "", 0);
    return unused;
}

static void *once(void *unused)
{
    heddle_send(0, 2, 0, "", 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, twice, NULL);
    pthread_create(&b, NULL, once, NULL);
    for (int i = 0, last = 0; i < 3; i++) {
        heddle_envelope about;
        heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, &about);
        assert(about.source == 2 || about.tag == ++last);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
