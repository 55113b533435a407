/* heddle serve: pages about runs, and the pairs page, for a browser on this machine. */
#include "serve/server.h"

#include <stdio.h>

#define HD_VERB serve
#define SERVE_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "serve [--port=N] [FOLDER]",
    "Shows the runs in FOLDER (otherwise heddle-out) in a browser on this machine, compares them, follows checks that "
    "run,\n"
    "and makes test sets from models as they are typed. The address that it prints has a token: keep it to yourself.",
    rows, sizeof rows / sizeof *rows };

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

int hd_cli_verb_serve(int argc, char **argv);

int hd_cli_verb_serve(int argc, char **argv)
{
    serve_options o = defaults;
    hd_error error = { "" };
    int count, dashes;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error)
        || !hd_cli_in_range("port", o.port, 0, 65535, &error))
        return fail(error.text);
    if (count > 1)
        return fail("one folder is shown, not several");
    hd_serve_server *s = hd_serve_server_open(count ? argv[0] : "heddle-out", (uint16_t)o.port, &error);
    if (!s)
        return fail(error.text);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGPIPE, SIG_IGN);
    printf("heddle: %s\n", hd_serve_server_address(s));
    fflush(stdout);
    bool fine = hd_serve_server_run(s, &stop, &error);
    hd_serve_server_close(s);
    return fine ? HD_EXIT_CLEAN : fail(error.text);
}
