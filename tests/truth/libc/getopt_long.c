// getopt_long begins with the first argument.
// EXPECT: complete
// TESTS: 2
// ARGS: --threads 3
#include "../several.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const struct option options[] = { { "threads", required_argument, NULL, 't' }, { 0 } };
    int threads = 0, option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        threads += atoi(optarg);
    assert(threads == 3);
    several();
}
