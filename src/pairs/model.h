/* What is to be tested: parameters with their values, groups of parameters
 * that are combined more (or less) thoroughly than the rest, and constraints
 * that every row of a test set must satisfy.
 *
 * A row is an array of value indices, one cell per parameter; a cell may be
 * HD_PAIRS_ANY ("don't care"). Constraints are kept as small trees over two
 * kinds of terms only: "the value of p is one of this set", which every
 * comparison with constants, IN, LIKE and ISNEGATIVE becomes when it is read,
 * and "the values of p and q are in this relation".
 *
 * Everything lives in the model's arena, so hd_pairs_model_fini frees it all. It is plain data that
 * every part reads.
 */
#ifndef HD_PAIRS_MODEL_H
#define HD_PAIRS_MODEL_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int16_t hd_pairs_cell;
enum { HD_PAIRS_ANY = -1, HD_PAIRS_MOST_VALUES = 10000, HD_PAIRS_MOST_PARAMETERS = 20000, HD_PAIRS_MOST_STRENGTH = 6 };

typedef struct hd_pairs_value {
    const char **names; /* the first one counts; the others are aliases for the output */
    int name_count;
    int weight;
    bool negative; /* written with the prefix ~: at most one such value in a row */
    double number; /* if the parameter is numeric */
} hd_pairs_value;

typedef struct hd_pairs_parameter {
    const char *name;
    hd_pairs_value *values;
    int value_count;
    int strength; /* its own, written `Name @ 3: …`; 0 if it has none */
    bool numeric;
    bool result; /* named $…: takes part in constraints only, not in combinations */
    int line;
} hd_pairs_parameter;

typedef struct hd_pairs_group {
    int *members;
    int count;
    int strength; /* 0: that of the whole model */
    int line;
} hd_pairs_group;

typedef enum hd_pairs_relation {
    hd_pairs_equal,
    hd_pairs_unequal,
    hd_pairs_less,
    hd_pairs_at_most,
    hd_pairs_greater,
    hd_pairs_at_least
} hd_pairs_relation;

typedef enum hd_pairs_kind { hd_pairs_and, hd_pairs_or, hd_pairs_not, hd_pairs_one_of, hd_pairs_compare } hd_pairs_kind;

typedef struct hd_pairs_expression {
    hd_pairs_kind kind;
    const struct hd_pairs_expression *left, *right; /* and, or; not has only the left one */
    int parameter; /* one_of, compare */
    const bool *accepted; /* one_of: per value of the parameter */
    hd_pairs_relation relation; /* compare */
    int other; /* compare: the right-hand parameter */
} hd_pairs_expression;

typedef struct hd_pairs_constraint {
    const hd_pairs_expression *expression;
    const char *text; /* as written, on one line */
    int line;
} hd_pairs_constraint;

/* How a model file is read; hd_pairs_usual_syntax is PICT's. */
typedef struct hd_pairs_syntax {
    char value_separator, alias_separator, negative_prefix;
    bool case_sensitive;
} hd_pairs_syntax;

typedef struct hd_pairs_model {
    hd_arena arena;
    const char *name; /* the file, or the shorthand itself */
    hd_pairs_syntax syntax;
    hd_vec(hd_pairs_parameter) parameters;
    hd_vec(hd_pairs_group) submodels; /* PICT's: the group is one unit for the rest of the model */
    hd_vec(hd_pairs_group) relations; /* ACTS's: the group's own tuples, besides the model's */
    hd_vec(hd_pairs_constraint) constraints;
    bool has_negative;
} hd_pairs_model;

static inline hd_pairs_syntax hd_pairs_usual_syntax(void)
{
    return (hd_pairs_syntax) { ',', '|', '~', false };
}

void hd_pairs_model_init(hd_pairs_model *m, const char *name, hd_pairs_syntax syntax);
void hd_pairs_model_fini(hd_pairs_model *m);

/* Reads a model from the operands of the command: one file ("-": standard input), or the words of a
 * shorthand. hd_pairs_model_fini is needed also if it fails. */
bool hd_pairs_model_open(hd_pairs_model *m, hd_pairs_syntax syntax, char **operands, int count, hd_error *error);

/* The text of a file ("-": standard input) in the arena, or NULL with an error. */
const char *hd_pairs_read_text(const char *file, hd_arena *arena, hd_error *error);

/* Reads a model file's text. Errors name `m->name`, the line and column. */
bool hd_pairs_parse(hd_pairs_model *m, const char *text, hd_error *error);

/* Reads a shorthand like "4^15 3^17 2^29"; parameters are P1, P2, …, values 0, 1, …
 * hd_pairs_is_shorthand tells whether a text looks like one. */
bool hd_pairs_is_shorthand(const char *text);
bool hd_pairs_parse_shorthand(hd_pairs_model *m, const char *text, hd_error *error);

/* Reads relations like "A,B,C@3; D,E@2" into the model. */
bool hd_pairs_parse_relations(hd_pairs_model *m, const char *text, hd_error *error);

/* The constraint part of a model file, which starts at `at` inside `text`. */
bool hd_pairs_parse_constraints(hd_pairs_model *m, const char *text, const char *at, hd_error *error);

/* The index of the parameter with this name, or -1. */
int hd_pairs_find_parameter(const hd_pairs_model *m, const char *name, size_t length);

/* The index of the value of parameter `p` that has `text` among its names (with
 * or without the negative prefix), or -1. */
int hd_pairs_find_value(const hd_pairs_model *m, int p, const char *text, size_t length);

/* Whether `relation` holds between value `a` of parameter `p` and value `b` of parameter `q`. */
bool hd_pairs_related(const hd_pairs_model *m, hd_pairs_relation relation, int p, int a, int q, int b);

/* A whole number, decimal or with exponent, that fills [text, text+length). */
bool hd_pairs_number(const char *text, size_t length, double *number);

/* The part of [*text, *text + *length) without white space at both ends. */
void hd_pairs_trim(const char **text, size_t *length);

#endif
