/* Inputs: values that the test chooses. An input is known by its thread and its
 * number among that thread's inputs. */
#ifndef HD_RUNTIME_SYMBOLIC_INPUTS_H
#define HD_RUNTIME_SYMBOLIC_INPUTS_H

#include "abi/wire.h"

typedef struct hd_input_request {
    const char *name;
    int64_t element; /* of an input of several bytes: which; -1: it is no such one */
    uint8_t width, is_signed;
    uint64_t low, count; /* of a range: so many values from `low` on; 0: there is none */
    const hd_site *site;
} hd_input_request;

/* The next input of the current thread; its value, and its shadow. */
uint64_t hd_input_draw(const hd_input_request *request, uint32_t *shadow);

/* `bytes` inputs of 8 bits each, put there with their shadows. */
void hd_input_bytes(void *to, uint64_t bytes, const char *name, const hd_site *site);

#endif
