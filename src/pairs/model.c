#include "pairs/model.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void hd_pairs_model_init(hd_pairs_model *m, const char *name, hd_pairs_syntax syntax)
{
    *m = (hd_pairs_model) { .syntax = syntax };
    hd_arena_init(&m->arena, &hd_heap);
    m->name = hd_arena_copy(&m->arena, name);
}

void hd_pairs_model_fini(hd_pairs_model *m)
{
    hd_vec_fini(&m->parameters);
    hd_vec_fini(&m->submodels);
    hd_vec_fini(&m->relations);
    hd_vec_fini(&m->constraints);
    hd_arena_fini(&m->arena);
}

/* Whether two texts are the same under the model's case rule. */
static bool same_text(const hd_pairs_model *m, const char *a, size_t length, const char *b)
{
    if (strlen(b) != length)
        return false;
    return (m->syntax.case_sensitive ? strncmp(a, b, length) : strncasecmp(a, b, length)) == 0;
}

int hd_pairs_find_parameter(const hd_pairs_model *m, const char *name, size_t length)
{
    hd_pairs_trim(&name, &length);
    for (size_t i = 0; i < m->parameters.count; i++)
        if (same_text(m, name, length, m->parameters.items[i].name))
            return (int)i;
    return -1;
}

static bool has_name(const hd_pairs_model *m, const hd_pairs_value *value, const char *text, size_t length)
{
    for (int n = 0; n < value->name_count; n++)
        if (same_text(m, text, length, value->names[n]))
            return true;
    return false;
}

int hd_pairs_find_value(const hd_pairs_model *m, int p, const char *text, size_t length)
{
    hd_pairs_trim(&text, &length);
    /* Test sets show negative values with their prefix. */
    bool prefixed = length > 0 && *text == m->syntax.negative_prefix;
    const hd_pairs_parameter *parameter = &m->parameters.items[p];
    for (int v = 0; v < parameter->value_count; v++) {
        const hd_pairs_value *value = &parameter->values[v];
        if (has_name(m, value, text, length)
            || (prefixed && value->negative && has_name(m, value, text + 1, length - 1)))
            return v;
    }
    return -1;
}

static bool relation_holds(hd_pairs_relation relation, int sign)
{
    switch (relation) {
    case hd_pairs_equal:
        return sign == 0;
    case hd_pairs_unequal:
        return sign != 0;
    case hd_pairs_less:
        return sign < 0;
    case hd_pairs_at_most:
        return sign <= 0;
    case hd_pairs_greater:
        return sign > 0;
    case hd_pairs_at_least:
        return sign >= 0;
    }
    hd_panic("relation %d", relation);
}

bool hd_pairs_related(const hd_pairs_model *m, hd_pairs_relation relation, int p, int a, int q, int b)
{
    const hd_pairs_value *left = &m->parameters.items[p].values[a], *right = &m->parameters.items[q].values[b];
    int sign;
    /* Numbers compare as numbers, everything else as text. */
    if (m->parameters.items[p].numeric && m->parameters.items[q].numeric)
        sign = (left->number > right->number) - (left->number < right->number);
    else
        sign = m->syntax.case_sensitive ? strcmp(left->names[0], right->names[0])
                                        : strcasecmp(left->names[0], right->names[0]);
    return relation_holds(relation, sign);
}

bool hd_pairs_number(const char *text, size_t length, double *number)
{
    char copy[64], *end;
    hd_pairs_trim(&text, &length);
    /* strtod would accept hexadecimal numbers, infinity and NaN, which are text in a model. */
    if (length == 0 || length >= sizeof copy || strcspn(text, "xXnN") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *number = strtod(copy, &end);
    return !*end && isfinite(*number);
}

void hd_pairs_trim(const char **text, size_t *length)
{
    while (*length > 0 && isspace((unsigned char)**text))
        ++*text, --*length;
    while (*length > 0 && isspace((unsigned char)(*text)[*length - 1]))
        --*length;
}
