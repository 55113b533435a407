// Files that were made, changed and removed are as before, also if the process ends in the middle.
// EXPECT: complete
// TESTS: 2
// RANDOM: 300
// STAYS: yes
#include "../several.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char name[4096];
    struct stat before, after;
    snprintf(name, sizeof name, "%s.made", argc ? argv[0] : "");
    assert(access(name, F_OK));
    assert(!stat(argv[0], &before) && before.st_size > 0 && (before.st_mode & 0777) != 0701);
    int made = open(name, O_CREAT | O_EXCL | O_RDWR, 0600), self = open(argv[0], O_RDWR | O_TRUNC);
    assert(made >= 0 && self >= 0 && write(made, "left", 4) == 4 && write(self, "lost", 4) == 4);
    assert(!chmod(argv[0], 0701) && !stat(argv[0], &after));
    assert(after.st_size == 4 && (after.st_mode & 0777) == 0701 && after.st_ino == before.st_ino);
    assert(!unlink(argv[0]) && access(argv[0], F_OK));
    several();
    _exit(0);
}
