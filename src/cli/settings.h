/* The settings of a check (abi/settings.h) from the options that several verbs have. */
#ifndef HD_CLI_SETTINGS_H
#define HD_CLI_SETTINGS_H

#include "abi/settings.h"
#include "base/error.h"

/* From --depth, --processors, --timeouts, --races, --volatile, --isolate, --files, --exit, --udp (NULL: not given) and
 * --partial. False: a value is not accepted. */
bool hd_cli_settings(hd_settings *s, int64_t depth, int64_t processors, const char *timeouts, const char *races,
    const char *volatiles, const char *isolate, const char *files, const char *exit_status, const char *udp,
    bool partial, hd_error *error);

#endif
