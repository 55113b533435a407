// An allocator's way to know who frees: a block belongs to the thread whose pointer it has, and
// others hand it back through an atomic list.
// EXPECT: complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct page {
    _Atomic(uintptr_t) owner;
    int free_here; /* the owner's alone */
    atomic_int free_elsewhere;
};

static struct page page;

static void give_back(struct page *p)
{
    if (atomic_load(&p->owner) == (uintptr_t)__builtin_thread_pointer())
        p->free_here++;
    else
        atomic_fetch_add(&p->free_elsewhere, 1);
}

static void *other(void *u)
{
    give_back(&page);
    return u;
}

int main(void)
{
    pthread_t t;
    atomic_store(&page.owner, (uintptr_t)__builtin_thread_pointer());
    pthread_create(&t, NULL, other, NULL);
    give_back(&page);
    pthread_join(t, NULL);
    assert(page.free_here == 1 && page.free_elsewhere == 1);
}
