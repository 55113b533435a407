// Folders and user names are the same in every execution: nothing that the C library keeps survives one.
// EXPECT: complete
// DFS: yes
// TESTS: 2
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int order;
static int visited, calls;

static int visit(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)path;
    (void)about;
    (void)type;
    visited += where->level == 0;
    return 0;
}

static int count_entries(void)
{
    int entries = 0;
    DIR *folder = opendir("/etc/security");
    if (!folder)
        return 0;
    while (readdir(folder))
        entries++;
    return entries; /* and left open */
}

static void *changes(void *unused)
{
    atomic_store(&order, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    const struct passwd *user = getpwuid(0);
    assert(user && !strcmp(user->pw_name, "root") && calls++ == 0);
    int entries = count_entries();
    assert(count_entries() == entries);
    assert(nftw("/etc/security", visit, 8, FTW_PHYS) == 0 || !entries);
    assert(visited == (entries ? 1 : 0));
    pthread_create(&t, NULL, changes, NULL);
    assert(getpwuid(getuid()));
    (void)atomic_load(&order);
    pthread_join(t, NULL);
}
