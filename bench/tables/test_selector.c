/* Threads that take the next test from a list, one for each of them but two. Whether there is one left and which it
 * is are two questions, so it can be gone in between. The paper's program, "an abstracted and faulty implementation" of
 * a part of its tool, is not published. */
#include "../field/field.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = N - 2, run[N], in_vain;

static int is_one_left(void)
{
    pthread_mutex_lock(&lock);
    int answer = left > 0;
    pthread_mutex_unlock(&lock);
    return answer;
}

static void *select_and_run(void *argument)
{
    if (!is_one_left())
        return NULL;
    pthread_mutex_lock(&lock);
    if (left > 0)
        run[--left] = number(argument);
    else
        in_vain++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    start_all(threads, N, select_and_run);
    join_all(threads, N);
    return 0;
}
