/* heddle: one command, a verb per file. */
#include "base/error.h"
#include "base/version.h"
#include "cli/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define VERB(name, help) int hd_cli_verb_##name(int argc, char **argv);
#include "cli/verbs.def"
#undef VERB

static const struct verb {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} verbs[] = {
#define VERB(name, help) { #name, help, hd_cli_verb_##name },
#include "cli/verbs.def"
#undef VERB
};

static void usage(FILE *out)
{
    fprintf(out, "usage: heddle VERB [OPTIONS] …\n\n");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(out, "  heddle %-8s %s\n", verbs[i].name, verbs[i].help);
    fprintf(out,
        "\n'heddle VERB --help' explains a verb; 'man heddle' describes everything.\n"
        "exit status: 0 everything explored, nothing found; 1 something found; 2 usage, or a program that\n"
        "does not build or start; 3 stopped at a bound, nothing found; 70 internal error\n");
}

/* heddle-cc and heddle-mpicc, links to the command: a verb as one word, for builds that take a compiler's name and no
 * more. */
static bool is_called_as(const char *path, const char *name)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path && !strcmp(slash ? slash + 1 : path, name);
}

static bool asks_help(int argc, char **argv)
{
    return argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
}

/* A verb sees itself as argv[0], then the options of the environment, then its own words. The compiler's options are
 * those of cc, and no others. */
static int run_verb(const struct verb *v, int argc, char **argv)
{
    hd_error error = { "" };
    hd_arena arena;
    if (!strcmp(v->name, "cc") || asks_help(argc, argv))
        return v->run(argc, argv);
    hd_arena_init(&arena, &hd_heap);
    bool fine = hd_cli_environment(v->name, &argc, &argv, &arena, &error);
    if (!fine)
        fprintf(stderr, "heddle: %s\n", error.text);
    int status = fine ? v->run(argc, argv) : HD_EXIT_USAGE;
    hd_arena_fini(&arena);
    return status;
}

int main(int argc, char **argv)
{
    if (is_called_as(argv[0], "heddle-cc"))
        return hd_cli_verb_cc(argc, argv);
    if (is_called_as(argv[0], "heddle-mpicc"))
        return hd_cli_verb_mpicc(argc, argv);
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(name, verbs[i].name))
            return run_verb(&verbs[i], argc - 1, argv + 1);
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        usage(stdout);
        return HD_EXIT_CLEAN;
    }
    if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        printf("heddle %s\n", HD_VERSION);
        return HD_EXIT_CLEAN;
    }
    if (*name)
        fprintf(stderr, "heddle: there is no verb '%s'\n", name);
    usage(stderr);
    return HD_EXIT_USAGE;
}
