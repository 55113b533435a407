/* Inputs: values that the test chooses. An input is identified by its thread and its number among that thread's
 * inputs, so it is the same input under every schedule. */
#ifndef HD_RUNTIME_SYMBOLIC_INPUTS_H
#define HD_RUNTIME_SYMBOLIC_INPUTS_H

#include "abi/wire.h"

typedef struct hd_input_request {
    const char *name;
    int64_t element; /* the index in an input of several bytes; -1: it is a single value */
    uint8_t width, is_signed;
    uint64_t low, count; /* a range: `count` values from `low` on; count 0: all values */
    const hd_site *site;
} hd_input_request;

/* The next input of the current thread: returns its value and sets its shadow. */
uint64_t hd_input_draw(const hd_input_request *request, uint32_t *shadow);

/* Stores inputs of 8 bits each, with their shadows. */
void hd_input_bytes(void *to, uint64_t bytes, const char *name, const hd_site *site);

#endif
