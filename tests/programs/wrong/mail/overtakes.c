// Two messages of one thread: without an order of delivery the second may arrive first.
// EXPECT: finding assertion
// TESTS: 3
// DFS: yes
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *sends(void *unused)
{
    heddle_send(0, 0, 1, "", 0);
    heddle_send(0, 0, 2, "", 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_envelope about;
    pthread_create(&t, NULL, sends, NULL);
    heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, NULL, 0, &about);
    pthread_join(t, NULL);
    assert(about.tag == 1);
}
