/* heddle serve: pages about runs, and the pairs page, for a browser on this machine. */
#include "base/library.h"
#include "serve/server.h"

#include <dlfcn.h>
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

/* The server's functions: linked, in tests, or loaded. */
static const hd_serve_calls *find_server(hd_error *error)
{
    if (&hd_serve_server_calls)
        return &hd_serve_server_calls;
    char path[4096];
    hd_arena arena;
    const char *folder;
    hd_arena_init(&arena, &hd_heap);
    bool found = hd_library_find(&arena, &folder, error);
    if (found)
        snprintf(path, sizeof path, "%s/serve.so", folder);
    hd_arena_fini(&arena);
    void *library = found ? dlopen(path, RTLD_NOW) : NULL;
    if (found && !library)
        hd_fail(error, "cannot load %s: %s", path, dlerror());
    return library ? dlsym(library, "hd_serve_server_calls") : NULL;
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
    const hd_serve_calls *server = find_server(&error);
    hd_serve_server *s = server ? server->open(count ? argv[0] : "heddle-out", (uint16_t)o.port, &error) : NULL;
    if (!s)
        return fail(error.text);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGPIPE, SIG_IGN);
    printf("heddle: %s\n", server->address(s));
    fflush(stdout);
    bool fine = server->run(s, &stop, &error);
    server->close(s);
    return fine ? HD_EXIT_CLEAN : fail(error.text);
}
