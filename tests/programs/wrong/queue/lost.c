// The sender opens the queue before it exists, and does not look at the result: the receiver may wait for ever.
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 2
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static void *sends(void *unused)
{
    mq_send(mq_open("/q", O_WRONLY), "x", 1, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c[8];
    struct mq_attr one = { .mq_maxmsg = 1, .mq_msgsize = 8 };
    pthread_create(&t, NULL, sends, NULL);
    mq_receive(mq_open("/q", O_CREAT | O_RDONLY, 0600, &one), c, 8, NULL);
    pthread_join(t, NULL);
}
