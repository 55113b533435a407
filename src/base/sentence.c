#include "base/sentence.h"

#include <stdarg.h>
#include <stdio.h>

void hd_sentence_add(hd_sentence *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(s->text + s->length, s->size - s->length, format, args);
    va_end(args);
    s->length += (size_t)more < s->size - s->length ? (size_t)more : s->size - s->length - 1;
}
