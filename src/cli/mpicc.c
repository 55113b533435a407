/* heddle mpicc: heddle cc, and the questions that builds ask an MPI compiler. <mpi.h> is among heddle's headers, and
 * the functions are in the runtime, so there is nothing to add. */
#include "compile/cc.h"

#include <stdio.h>
#include <string.h>

int hd_cli_verb_mpicc(int argc, char **argv);
int hd_cli_verb_cc(int argc, char **argv);

/* What MPICH's and Open MPI's wrappers answer: the command, or the flags that they add. */
static bool is_question(const char *argument)
{
    return !strcmp(argument, "-show") || !strcmp(argument, "-compile_info") || !strcmp(argument, "-link_info")
        || !strncmp(argument, "-showme", 7) || !strncmp(argument, "--showme", 8);
}

static bool asks_for_flags(const char *argument)
{
    return strchr(argument, ':') != NULL;
}

int hd_cli_verb_mpicc(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (is_question(argv[i])) {
            puts(asks_for_flags(argv[i]) ? "" : "heddle-cc");
            return HD_EXIT_CLEAN;
        }
    return hd_cli_verb_cc(argc, argv);
}
