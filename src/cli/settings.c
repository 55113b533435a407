#include "cli/settings.h"

#include "abi/wire.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(HD_USUAL_PROCESSORS == 2, "as in options.def");

enum { MOST_TIMEOUTS = 1000000 };

/* "any", or a number. */
static bool read_timeouts(uint32_t *timeouts, const char *text, hd_error *error)
{
    char *end;
    unsigned long most = strtoul(text, &end, 10);
    *timeouts = strcmp(text, "any") ? (uint32_t)most : HD_TIMEOUTS_ANY;
    return !strcmp(text, "any") || (*text >= '0' && *text <= '9' && !*end && most <= MOST_TIMEOUTS)
        || hd_fail(error, "--timeouts=%s: expected 'any' or a number from 0 to %d", text, MOST_TIMEOUTS);
}

/* The setting that a word of --udp switches on; NULL: there is no such word. */
static uint8_t *find_fate(hd_settings *s, const char *word, size_t length)
{
    const struct {
        const char *name;
        uint8_t *field;
    } fates[] = { { "loss", &s->udp_loss }, { "dup", &s->udp_dup }, { "reorder", &s->udp_reorder } };
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++)
        if (strlen(fates[i].name) == length && !strncmp(word, fates[i].name, length))
            return fates[i].field;
    return NULL;
}

/* Words with commas between. */
static bool read_udp(hd_settings *s, const char *words, hd_error *error)
{
    for (const char *word = words, *end; word; word = *end ? end + 1 : NULL) {
        end = strchrnul(word, ',');
        uint8_t *fate = find_fate(s, word, (size_t)(end - word));
        if (!fate)
            return hd_fail(
                error, "--udp=%s: expected 'loss', 'dup', 'reorder', or several of them with commas between", words);
        *fate = 1;
    }
    return true;
}

static bool is_about_races(const char *races, hd_error *error)
{
    return !strcmp(races, "report") || !strcmp(races, "report-last") || !strcmp(races, "off")
        || hd_fail(error, "--races is 'report', 'report-last' or 'off', not '%s'", races);
}

bool hd_cli_settings(hd_settings *s, int64_t depth, int64_t processors, const char *timeouts, const char *races,
    const char *volatiles, const char *isolate, const char *files, const char *exit_status, const char *udp,
    bool partial, hd_error *error)
{
    *s = (hd_settings) { .depth = (uint32_t)depth,
        .processors = (uint32_t)processors,
        .races = strcmp(races, "off") != 0,
        .volatiles = !strcmp(volatiles, "atomic"),
        .fork = !strcmp(isolate, "fork"),
        .real_files = !strcmp(files, "fork"),
        .partial = partial,
        .any_exit = !strcmp(exit_status, "any") };
    return hd_cli_in_range("depth", depth, 1, HD_LOG_ROOM, error)
        && hd_cli_in_range("processors", processors, 1, HD_MOST_PROCESSORS, error)
        && read_timeouts(&s->timeouts, timeouts, error) && is_about_races(races, error) && read_udp(s, udp, error)
        && hd_cli_one_of("volatile", volatiles, "plain", "atomic", error)
        && hd_cli_one_of("isolate", isolate, "reset", "fork", error)
        && hd_cli_one_of("files", files, "overlay", "fork", error)
        && hd_cli_one_of("exit", exit_status, "zero", "any", error);
}
