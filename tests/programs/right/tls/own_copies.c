// Thread-local variables are not shared, and start anew in every thread.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 5;
static __thread char text[16] = "start";

static void *work(void *unused)
{
    assert(counter == 5 && text[0] == 's');
    counter++;
    text[0] = 'x';
    assert(counter == 6);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    counter = 100;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 100 && text[0] == 's');
}
