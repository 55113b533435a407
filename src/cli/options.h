/* Command-line parsing from a table. A verb's options are its rows in options.def; verb_options.h
 * turns them into a struct, its defaults and the table for parsing and help. */
#ifndef HD_CLI_OPTIONS_H
#define HD_CLI_OPTIONS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum hd_cli_option_type {
    hd_cli_option_flag,
    hd_cli_option_toggle, /* --name, --name=on or --name=off */
    hd_cli_option_text,
    hd_cli_option_texts, /* may be given several times */
    hd_cli_option_integer,
    hd_cli_option_real
} hd_cli_option_type;

enum { HD_MOST_TEXTS = 16 };

typedef bool hd_cli_type_flag;
typedef enum hd_cli_type_toggle { HD_CLI_NOT_GIVEN, HD_CLI_ON, HD_CLI_OFF } hd_cli_type_toggle;
typedef const char *hd_cli_type_text;
typedef struct hd_cli_type_texts {
    const char *items[HD_MOST_TEXTS];
    uint32_t count;
} hd_cli_type_texts;

#define HD_NO_TEXTS \
    { \
        .count = 0 \
    }

typedef int64_t hd_cli_type_integer;
enum { HD_CLI_NO_NUMBER = -1 }; /* the default of a number that may be left out */
typedef double hd_cli_type_real;

typedef struct hd_cli_option {
    const char *field;
    hd_cli_option_type type;
    size_t offset;
    const char *argument, *help;
    const char *default_text; /* as written in options.def */
} hd_cli_option;

typedef struct hd_cli_usage {
    const char *synopsis; /* after "heddle " */
    const char *summary;
    const hd_cli_option *options;
    size_t option_count;
} hd_cli_usage;

/* Parses the options in argv[1..] into `into` and moves all other words to the front of argv
 * (argv[0 .. *count-1]). `--` ends the options; *dashes is the number of words before it (*count if
 * there is none). */
bool hd_cli_parse(
    const hd_cli_usage *usage, int argc, char **argv, void *into, int *count, int *dashes, hd_error *error);

/* Is this the name of the option? Options have dashes where C identifiers have underscores. A field whose name would be
 * a keyword has an underscore at its end. */
bool hd_cli_is_named(const char *field, const char *name, size_t length);

void hd_cli_help(const hd_cli_usage *usage, FILE *out);

/* Prints the help if it is asked for; returns whether it was. */
bool hd_cli_asks_help(const hd_cli_usage *usage, int argc, char **argv);

/* Checks of values; the error says what is expected. */
bool hd_cli_one_of(const char *option, const char *value, const char *a, const char *b, hd_error *error);
bool hd_cli_in_range(const char *option, int64_t value, int64_t least, int64_t most, hd_error *error);

#endif
