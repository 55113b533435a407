/* Writing JSON: nesting, commas and escapes are the writer's business. A key
 * is NULL inside an array and at the top. Bytes that are not UTF-8 become
 * U+FFFD. Check ferror on the stream after the end. */
#ifndef HD_BASE_JSON_H
#define HD_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct hd_json {
    FILE *out;
    int depth;
    bool filled[64]; /* per level: something has been written */
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
