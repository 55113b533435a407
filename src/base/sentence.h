/* A sentence assembled from parts in a buffer of fixed size; what does not fit is cut off. Always
 * terminated. */
#ifndef HD_BASE_SENTENCE_H
#define HD_BASE_SENTENCE_H

#include <stddef.h>

typedef struct hd_sentence {
    char *text;
    size_t size, length;
} hd_sentence;

__attribute__((format(printf, 2, 3))) void hd_sentence_add(hd_sentence *s, const char *format, ...);

#endif
