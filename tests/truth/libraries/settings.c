/* A library that changes the process. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

int settings_umask(void)
{
    return (int)umask(0123);
}

int settings_move(void)
{
    char here[4096];
    return getcwd(here, sizeof here) && !strcmp(here, "/usr") ? 1 : chdir("/usr");
}

int settings_open(void)
{
    return open("/etc/passwd", O_RDONLY);
}

static void ignore(int signal)
{
    (void)signal;
}

int settings_handler(void)
{
    return signal(SIGUSR2, ignore) == SIG_DFL;
}

int settings_mask(void)
{
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    return sigismember(&old, SIGUSR2);
}

/* A mapping that nobody removes. */
char *settings_map(size_t bytes)
{
    char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(map, 1, bytes);
    return map;
}

void settings_print(void)
{
    printf("printed by a library\n");
    fprintf(stderr, "and to standard error\n");
}

unsigned settings_random(void)
{
    unsigned n;
    return getrandom(&n, sizeof n, 0) == sizeof n ? n : 0;
}

void settings_exit(int status)
{
    exit(status);
}

int settings_make_directory(void)
{
    return mkdir("/tmp", 0777);
}
