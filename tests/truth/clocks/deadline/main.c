// A deadline in a structure of another file, for a retry there and an expiry here: both pass, in a check that ends.
// RUN: -DHOW=0 EXPECT=bound EXPECT="finding assertion"
// RUN: -DHOW=1 EXPECT=bound EXPECT="finding assertion"
// RUN: -DHOW=2 EXPECT=bound
#include "deadline.h"

#include <assert.h>
#include <pthread.h>

static struct lease lease;

static void *work(void *unused)
{
    int held = lease_take(&lease);
    if (HOW == 0)
        assert(held); /* it may have been held for all the time that the other waits */
    if (held && HOW == 1)
        assert(!lease_has_expired(&lease)); /* a thread may be slow between the two */
    if (held)
        lease_give(&lease);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
