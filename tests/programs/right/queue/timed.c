// A receiver that waits for a while: it times out, or gets the message.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <time.h>

static mqd_t q;

static void *sends(void *unused)
{
    mq_send(q, "x", 1, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c[1];
    struct mq_attr one = { .mq_maxmsg = 1, .mq_msgsize = 1 };
    struct timespec until = { 1, 0 };
    q = mq_open("/q", O_CREAT | O_RDWR, 0600, &one);
    pthread_create(&t, NULL, sends, NULL);
    assert(mq_timedreceive(q, c, 1, NULL, &until) == 1 || errno == ETIMEDOUT);
    pthread_join(t, NULL);
}
