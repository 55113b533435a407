#include <stdatomic.h>
#include <time.h>

struct lease {
    atomic_int holder;
    struct timespec until;
};

int lease_take(struct lease *l);
int lease_has_expired(const struct lease *l);
void lease_give(struct lease *l);
