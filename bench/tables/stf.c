/* Two threads change two numbers, each number in a critical section of its own: 6 orders. */
#include "../field/field.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[2] = { 10, 10 };

static void *change(void *argument)
{
    int me = number(argument);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        numbers[i] += me ? 5 - i : 1 + i;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    start_all(threads, 2, change);
    join_all(threads, 2);
    assert(numbers[0] == 16 && numbers[1] == 16);
    return 0;
}
