/* The settings of a check (abi/settings.h) from the options that several verbs have. */
#ifndef HD_CLI_SETTINGS_H
#define HD_CLI_SETTINGS_H

#include "abi/settings.h"
#include "base/error.h"

/* What check and suite are given about the settings. NULL: not given. */
typedef struct hd_cli_given {
    int64_t depth, processors;
    const char *timeouts, *races, *volatiles, *isolate, *files, *exit, *udp, *scheme, *mpi_buffer;
    bool partial;
} hd_cli_given;

#define HD_CLI_GIVEN(o) \
    ((hd_cli_given) { (o)->depth, (o)->processors, (o)->timeouts, (o)->races, (o)->volatile_, (o)->isolate, \
        (o)->files, (o)->exit, (o)->udp, (o)->scheme, (o)->mpi_buffer, (o)->partial })

/* False: a value is not accepted. */
bool hd_cli_settings(hd_settings *s, const hd_cli_given *given, hd_error *error);

#endif
