// getopt begins with the first argument.
// EXPECT: complete
// TESTS: 2
// ARGS: -p 2 -q
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int seen = 0, option;
    while ((option = getopt(argc, argv, "p:q")) != -1)
        seen += option == 'p' ? atoi(optarg) : 100;
    assert(seen == 102 && optind == 4);
    several();
}
