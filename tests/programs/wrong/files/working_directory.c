// The working directory and the umask are shared.
// EXPECT: finding assertion at 29
// EXPECT: finding assertion at 30
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void *change(void *unused)
{
    chdir("/");
    umask(077);
    return unused;
}

int main(void)
{
    pthread_t t;
    char here[4096], later[4096];
    umask(022);
    assert(getcwd(here, sizeof here));
    pthread_create(&t, NULL, change, NULL);
    char *got = getcwd(later, sizeof later);
    mode_t mask = umask(022);
    pthread_join(t, NULL);
    assert(got);
    umask(022);
    assert(here[1] == '\0' || later[1]);
    assert(mask == 022);
}
