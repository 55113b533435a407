/* Command-line parsing from a table. A verb's options are its rows in options.def; verb_options.h
 * turns them into a struct, its defaults and the table for parsing and help. */
#ifndef HD_CLI_OPTIONS_H
#define HD_CLI_OPTIONS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum hd_option_type {
    hd_option_flag,
    hd_option_text,
    hd_option_texts, /* may be given several times */
    hd_option_integer,
    hd_option_real
} hd_option_type;

enum { HD_MOST_TEXTS = 16 };

typedef bool hd_type_flag;
typedef const char *hd_type_text;
typedef struct hd_type_texts {
    const char *items[HD_MOST_TEXTS];
    uint32_t count;
} hd_type_texts;

#define HD_NO_TEXTS \
    { \
        .count = 0 \
    }

typedef int64_t hd_type_integer;
typedef double hd_type_real;

typedef struct hd_option {
    const char *field;
    hd_option_type type;
    size_t offset;
    const char *argument, *help;
    const char *default_text; /* as written in options.def */
} hd_option;

typedef struct hd_verb_usage {
    const char *synopsis; /* after "heddle " */
    const char *summary;
    const hd_option *options;
    size_t option_count;
} hd_verb_usage;

/* Parses the options in argv[1..] into `into` and moves all other words to the front of argv
 * (argv[0 .. *count-1]). `--` ends the options; *dashes is the number of words before it (*count if
 * there is none). */
bool hd_options_parse(
    const hd_verb_usage *usage, int argc, char **argv, void *into, int *count, int *dashes, hd_error *error);

void hd_options_help(const hd_verb_usage *usage, FILE *out);

/* Prints the help if it is asked for; returns whether it was. */
bool hd_options_asks_help(const hd_verb_usage *usage, int argc, char **argv);

/* Checks of values; the error says what is expected. */
bool hd_options_one_of(const char *option, const char *value, const char *a, const char *b, hd_error *error);
bool hd_options_in_range(const char *option, int64_t value, int64_t least, int64_t most, hd_error *error);

#define HD_OPTION_FIELD(field, type, value, argument, help) hd_type_##type field;
#define HD_OPTION_DEFAULT(name, type, value, argument, help) .name = value,

#endif
