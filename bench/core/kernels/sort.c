/* Quicksort of numbers, insertion sort below sixteen. */
#include "kernels.h"

#include <stdlib.h>

enum { COUNT = 20000, SMALL = 16 };

static void insertion(uint32_t *items, int count)
{
    for (int i = 1; i < count; i++) {
        uint32_t item = items[i];
        int k = i;
        for (; k > 0 && items[k - 1] > item; k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

static void sort(uint32_t *items, int count)
{
    while (count > SMALL) {
        uint32_t pivot = items[count / 2];
        int low = 0, high = count - 1;
        while (low <= high) {
            while (items[low] < pivot)
                low++;
            while (items[high] > pivot)
                high--;
            if (low <= high) {
                uint32_t item = items[low];
                items[low++] = items[high];
                items[high--] = item;
            }
        }
        sort(items, high + 1);
        items += low;
        count -= low;
    }
    insertion(items, count);
}

uint64_t kernel_sort(uint32_t rounds)
{
    uint32_t *items = malloc(COUNT * sizeof *items), state = 1;
    uint64_t sum = 0;
    for (uint32_t r = 0; r < rounds; r++) {
        for (int i = 0; i < COUNT; i++)
            items[i] = next_random(&state);
        sort(items, COUNT);
        sum += items[COUNT / 2];
    }
    free(items);
    return sum;
}
