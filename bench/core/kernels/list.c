/* A linked list of small blocks: built, reversed, added up, freed. */
#include "kernels.h"

#include <stdlib.h>

enum { LENGTH = 5000 };

typedef struct node {
    struct node *next;
    uint32_t value;
} node;

static node *reverse(node *list)
{
    node *reversed = NULL;
    while (list) {
        node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

uint64_t kernel_list(uint32_t rounds)
{
    uint32_t state = 1;
    uint64_t sum = 0;
    node *list = NULL;
    for (uint32_t i = 0; i < LENGTH; i++) {
        node *n = malloc(sizeof *n);
        *n = (node) { list, next_random(&state) };
        list = n;
    }
    for (uint32_t r = 0; r < rounds; r++) {
        list = reverse(list);
        for (node *n = list; n; n = n->next)
            sum += n->value++;
    }
    while (list) {
        node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}
