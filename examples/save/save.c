/* Saves a new version of a file, as editors and databases do: it writes the version to another file, and gives that the
 * name of the first. Whoever opens the file finds the old version or the new one.
 *
 * A process may die at any point, and what it has not synced may be lost (--crash-files): then the name may lead to a file
 * whose contents never reached the disk. With -DSYNCED, the contents are durable before the name. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int save(const char *name, const char *text)
{
    int fd = open("settings.new", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        return -1;
#ifdef SYNCED
    if (fsync(fd))
        return -1;
#endif
    close(fd);
    return rename("settings.new", name);
}

int main(void)
{
    return save("settings", "volume=7\n") ? 1 : 0;
}
