// What a library keeps decides how many threads there are: the search sees both.
// EXPECT: finding assertion
// LIBRARY: keeps
#include "../several.h"

#include <assert.h>

int keeps_calls(void);
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    pthread_mutex_lock(&m);
    int v = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x = v + 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    int n = keeps_calls() ? 1 : 2;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    assert(x == n);
    (void)several;
}
