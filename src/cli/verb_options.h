/* A verb's options, from its rows in options.def: a struct to parse into, its
 * defaults, and the table of rows. Define HD_VERB as the verb's name and the macro
 * that selects its rows, and include this once:
 *
 *   #define HD_VERB check
 *   #define CHECK_OPTIONS
 *   #include "cli/verb_options.h"
 *
 * gives `check_options`, `defaults` and `rows`. */
#include "cli/options.h"

#define HD_VERB_PASTE(verb, suffix) verb##suffix
#define HD_VERB_NAME(verb, suffix) HD_VERB_PASTE(verb, suffix)
#define HD_VERB_OPTIONS HD_VERB_NAME(HD_VERB, _options)

typedef struct HD_VERB_OPTIONS {
#define OPTION(field, type, value, argument, help) hd_cli_type_##type field;
#include "cli/options.def"
#undef OPTION
} HD_VERB_OPTIONS;

static const HD_VERB_OPTIONS defaults = {
#define OPTION(name, type, value, argument, help) .name = value,
#include "cli/options.def"
#undef OPTION
};

static const hd_cli_option rows[] = {
#define OPTION(field, type, value, argument, help) \
    { #field, hd_cli_option_##type, offsetof(HD_VERB_OPTIONS, field), argument, help, #value },
#include "cli/options.def"
#undef OPTION
};
