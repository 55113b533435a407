#include "config.h"
#include "queue.h"
#include "sum.h"

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 20 };

static queue work;

static void *take(void *counted)
{
    for (int item; (item = queue_take(&work)) > 0;)
        sum_add(item);
    *(int *)counted = sum_here();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int *counted = calloc(2, sizeof *counted);
    queue_open(&work);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take, &counted[i]);
    for (int i = 1; i <= ITEMS; i++)
        queue_put(&work, i);
    for (int i = 0; i < 2; i++)
        queue_put(&work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%s: sum %d of %d items\n", PROJECT, sum_value(), counted[0] + counted[1]);
    queue_close(&work);
    free(counted);
    return 0;
}
