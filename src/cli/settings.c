#include "cli/settings.h"

#include "abi/wire.h"
#include "cli/options.h"

#include <string.h>

bool hd_cli_settings(
    hd_settings *s, int64_t depth, const char *races, const char *isolate, const char *exit_status, hd_error *error)
{
    *s = (hd_settings) { .depth = (uint32_t)depth,
        .races = !strcmp(races, "report"),
        .fork = !strcmp(isolate, "fork"),
        .any_exit = !strcmp(exit_status, "any") };
    return hd_cli_in_range("depth", depth, 1, HD_LOG_ROOM, error)
        && hd_cli_one_of("races", races, "report", "off", error)
        && hd_cli_one_of("isolate", isolate, "reset", "fork", error)
        && hd_cli_one_of("exit", exit_status, "zero", "any", error);
}
