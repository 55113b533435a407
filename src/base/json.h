/* A writer for JSON: it takes care of nesting, commas and escapes. A key is NULL inside an array
 * and at the top level. Bytes that are not UTF-8 become U+FFFD. Errors stay in the stream: check
 * ferror at the end. Open, so that a writer can be on the stack. */
#ifndef HD_BASE_JSON_H
#define HD_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct hd_json {
    FILE *out;
    int depth;
    bool filled[64]; /* per level: an element has been written, so the next one needs a comma */
} hd_json;

void hd_json_open(hd_json *j, FILE *out);
void hd_json_object(hd_json *j, const char *key);
void hd_json_array(hd_json *j, const char *key);
void hd_json_end(hd_json *j, char closer); /* '}' or ']' */
void hd_json_text(hd_json *j, const char *key, const char *value); /* NULL value: null */
void hd_json_int(hd_json *j, const char *key, int64_t value);
void hd_json_real(hd_json *j, const char *key, double value);
void hd_json_bool(hd_json *j, const char *key, bool value);

#endif
