/* heddle cc: see compile/cc.h. Its options are the compiler's, except for --help. */
#include "compile/cc.h"

#include <stdio.h>
#include <string.h>

int hd_cli_verb_cc(int argc, char **argv);

static const char help[] =
    "usage: heddle cc [OPTIONS] FILE…\n\n"
    "Compiles and links C programs for 'heddle check', with the options of gcc and clang: CC=\"heddle cc\".\n"
    "The programs also run by hand.\n\n"
    "options of its own:\n"
    "  -fheddle-annotate=FILE claims about functions and variables (man heddle, --annotate)\n"
    "  -fheddle-cover         record statements and branches, for 'heddle suite --cover=statements|branches'\n"
    "  -fheddle-inputs        code that follows inputs, for 'heddle check --sym-…'; by default only where programs\n"
    "                         ask for inputs themselves\n\n"
    "environment:\n"
    "  HEDDLE_DISABLE=1       run plain clang-" HD_LLVM " with the same arguments\n\n"
    "All other options: clang-" HD_LLVM " --help\n";

int hd_cli_verb_cc(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            return HD_EXIT_CLEAN;
        }
    return hd_cc_main(argc, argv);
}
