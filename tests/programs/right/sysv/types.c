// Each thread receives the messages of its own type. It looks at the queue, and again whenever that has changed.
// EXPECT: complete
// DFS: yes
// TESTS: 32
#include <assert.h>
#include <pthread.h>
#include <sys/msg.h>

struct letter {
    long type;
    int value;
};

static int queue;

static void *receives(void *argument)
{
    struct letter l;
    long type = (long)argument;
    assert(msgrcv(queue, &l, sizeof l.value, type, 0) == sizeof l.value);
    assert(l.type == type && l.value == type * 10);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    queue = msgget(IPC_PRIVATE, 0600);
    for (long i = 1; i <= 2; i++)
        pthread_create(&t[i - 1], NULL, receives, (void *)i);
    for (int i = 1; i <= 2; i++) {
        struct letter l = { i, i * 10 };
        msgsnd(queue, &l, sizeof l.value, 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
