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

static bool read_mpi(hd_settings *s, const char *buffer, hd_error *error)
{
    s->mpi_zero = !strcmp(buffer, "zero");
    s->mpi_eager = !strcmp(buffer, "eager");
    return s->mpi_zero || s->mpi_eager || !strcmp(buffer, "both")
        || hd_fail(error, "--mpi-buffer is 'zero', 'eager' or 'both', not '%s'", buffer);
}

static bool is_about_races(const char *races, hd_error *error)
{
    return !strcmp(races, "report") || !strcmp(races, "report-last") || !strcmp(races, "off")
        || hd_fail(error, "--races is 'report', 'report-last' or 'off', not '%s'", races);
}

static bool read_scheme(hd_settings *s, const char *scheme, hd_error *error)
{
    s->mail_fifo = !strcmp(scheme, "fifo");
    s->mail_causal = !strcmp(scheme, "causal");
    return s->mail_fifo || s->mail_causal || !strcmp(scheme, "async")
        || hd_fail(error, "--scheme is 'async', 'fifo' or 'causal', not '%s'", scheme);
}

bool hd_cli_settings(hd_settings *s, const hd_cli_given *g, hd_error *error)
{
    *s = (hd_settings) { .depth = (uint32_t)g->depth,
        .processors = (uint32_t)g->processors,
        .races = strcmp(g->races, "off") != 0,
        .volatiles = !strcmp(g->volatiles, "atomic"),
        .fork = !strcmp(g->isolate, "fork"),
        .real_files = !strcmp(g->files, "fork"),
        .partial = g->partial,
        .any_exit = !strcmp(g->exit, "any") };
    return hd_cli_in_range("depth", g->depth, 1, HD_LOG_ROOM, error)
        && hd_cli_in_range("processors", g->processors, 1, HD_MOST_PROCESSORS, error)
        && read_timeouts(&s->timeouts, g->timeouts, error) && is_about_races(g->races, error)
        && read_udp(s, g->udp, error) && read_scheme(s, g->scheme, error) && read_mpi(s, g->mpi_buffer, error)
        && hd_cli_one_of("volatile", g->volatiles, "plain", "atomic", error)
        && hd_cli_one_of("isolate", g->isolate, "reset", "fork", error)
        && hd_cli_one_of("files", g->files, "overlay", "fork", error)
        && hd_cli_one_of("exit", g->exit, "zero", "any", error);
}
