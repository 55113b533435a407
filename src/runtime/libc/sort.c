/* qsort and bsearch. Sorting reads and writes the whole array; the comparison function is the program's and announces
 * its own accesses. A merge sort, stable like the C library's. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"
#include "runtime/reset/heap.h"

#include <stdlib.h>
#include <string.h>

typedef struct order {
    int (*compare)(const void *, const void *, void *);
    void *context;
    size_t size;
} order;

static void merge(const order *o, char *to, const char *a, size_t na, const char *b, size_t nb)
{
    while (na && nb) {
        int second = o->compare(a, b, o->context) > 0;
        memcpy(to, second ? b : a, o->size);
        to += o->size;
        if (second) {
            b += o->size;
            nb--;
        } else {
            a += o->size;
            na--;
        }
    }
    memcpy(to, na ? a : b, (na + nb) * o->size);
}

/* Sorts n elements of `array`, with room for as many at `spare`. */
static void sort(const order *o, char *array, char *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    sort(o, array, spare, half);
    sort(o, array + half * o->size, spare, n - half);
    merge(o, spare, array, half, array + half * o->size, n - half);
    memcpy(array, spare, n * o->size);
}

static void sort_array(void *array, size_t n, const order *o)
{
    const hd_site *site = hd_call_site;
    n = hd_plain_size(n);
    SEE(site, WRITES(array, n * o->size));
    hd_call_site = site;
    char *spare = n > 1 ? hd_heap_alloc(n * o->size, 16, 0) : NULL;
    if (n > 1 && !spare)
        hd_end(HD_MODEL_LIMIT, site, "no memory to sort %zu elements", n);
    sort(o, array, spare, n);
    hd_call_site = site;
    hd_heap_free(spare);
}

static int without_context(const void *a, const void *b, void *compare)
{
    return ((comparison_fn_t)compare)(a, b);
}

HD_FACE void hd_qsort(void *array, size_t n, size_t size, comparison_fn_t compare)
{
    sort_array(array, n, &(order) { without_context, (void *)compare, hd_plain_size(size) });
}

HD_FACE void hd_qsort_r(void *array, size_t n, size_t size, __compar_d_fn_t compare, void *context)
{
    sort_array(array, n, &(order) { compare, context, hd_plain_size(size) });
}

HD_FACE void *hd_bsearch(const void *key, const void *array, size_t n, size_t size, comparison_fn_t compare)
{
    const char *low = array;
    n = hd_plain_size(n);
    size = hd_plain_size(size);
    while (n) {
        const char *middle = low + n / 2 * size;
        int side = compare(key, middle);
        if (side == 0)
            return (void *)middle;
        if (side > 0) {
            low = middle + size;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return NULL;
}
