// The message with the higher priority comes first, if both have been sent.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static struct mq_attr two = { .mq_maxmsg = 2, .mq_msgsize = 8 };

static void *sends(void *unused)
{
    mqd_t q = mq_open("/q", O_WRONLY);
    mq_send(q, "low", 4, 1);
    mq_send(q, "high", 5, 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    char a[8], b[8];
    unsigned first, second;
    mqd_t q = mq_open("/q", O_CREAT | O_RDONLY, 0600, &two);
    pthread_create(&t, NULL, sends, NULL);
    assert(mq_receive(q, a, 8, &first) >= 0 && mq_receive(q, b, 8, &second) >= 0);
    assert((first == 1 && second == 2 && a[0] == 'l') || (first == 2 && second == 1 && a[0] == 'h'));
    pthread_join(t, NULL);
    mq_unlink("/q");
}
