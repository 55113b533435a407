// A message orders what its sender did before it; a full queue makes the sender wait.
// EXPECT: complete
// DFS: yes
// TESTS: 1
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t there, back;
static int data;

static void *answers(void *unused)
{
    char c[1];
    assert(mq_receive(there, c, 1, NULL) == 1);
    data++;
    assert(mq_send(back, c, 1, 0) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c[1];
    struct mq_attr one = { .mq_maxmsg = 1, .mq_msgsize = 1 };
    there = mq_open("/there", O_CREAT | O_RDWR, 0600, &one);
    back = mq_open("/back", O_CREAT | O_RDWR, 0600, &one);
    pthread_create(&t, NULL, answers, NULL);
    data = 1;
    mq_send(there, "x", 1, 0);
    mq_send(there, "y", 1, 0);
    mq_receive(back, c, 1, NULL);
    assert(data == 2 && c[0] == 'x');
    pthread_join(t, NULL);
}
