// Threads that read in turn get different bytes.
// EXPECT: complete
// TESTS: 2
// STDIN: ab
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

static char got[2];

static void *reads(void *to)
{
    assert(read(0, to, 1) == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reads, &got[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] + got[1] == 'a' + 'b' && got[0] != got[1]);
    (void)several;
}
