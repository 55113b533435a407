// A receive waits for a source that sends to another mailbox.
// EXPECT: finding deadlock
// DFS: yes
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *sends(void *unused)
{
    heddle_send(1, 0, 0, "", 0);
    heddle_send(0, 3, 0, "", 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sends, NULL);
    heddle_receive(0, 0, HEDDLE_ANY, NULL, 0, NULL);
    pthread_join(t, NULL);
}
