// Code that heddle did not compile is named if it is called, however that comes about, and only then.
// RUN: -DWAY=0 EXPECT=complete LIBRARY=plain FOREIGN=
// RUN: -DWAY=1 EXPECT=bound LIBRARY=plain FOREIGN=libplain.so
// RUN: -DWAY=2 EXPECT=bound LIBRARY=plain FOREIGN=libplain.so
// RUN: -DWAY=3 EXPECT=bound LIBRARY=plain FOREIGN=libplain.so BACK=twice
// RUN: -DWAY=4 EXPECT=bound LIBRARY=plain FOREIGN=libplain.so
// RUN: -DWAY=0 EXPECT=complete OBJECT=plain FOREIGN=
// RUN: -DWAY=1 EXPECT=bound OBJECT=plain FOREIGN=plain_next
// RUN: -DWAY=2 EXPECT=bound OBJECT=plain FOREIGN=plain_next
// RUN: -DWAY=3 EXPECT=bound OBJECT=plain FOREIGN=plain_through BACK=twice
// RUN: -DWAY=4 EXPECT=bound OBJECT=plain FOREIGN=add_two
// RUN: -DWAY=4 -Dtwice=add_two EXPECT=bound OBJECT=plain FOREIGN=add_two
// RUN: -DWAY=4 -Wl,--discard-all EXPECT=bound OBJECT=plain FOREIGN=
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int plain_next(int), plain_through(int (*)(int), int), plain_unused(void);
extern struct plain_table {
    int (*function)(int);
} plain_table;

static int twice(int n)
{
    return 2 * n;
}

static int (*volatile pointer)(int) = plain_next;

static void *work(void *u)
{
    if (WAY == 1)
        assert(plain_next(1) == 2);
    if (WAY == 2)
        assert(pointer(1) == 2);
    if (WAY == 3)
        assert(plain_through(twice, 4) == 8);
    if (WAY == 4)
        assert(plain_table.function(twice(2)) == 6);
    if (!u && abs(WAY) > 9)
        plain_unused();
    return u;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
}
