/* Loads the file that save.c writes, at any time: before it is saved, after it, or after a crash. */
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[32] = { 0 };
    int fd = open("settings", O_RDONLY);
    if (fd < 0)
        return 0; /* there are no settings yet */
    read(fd, text, sizeof text - 1);
    close(fd);
    assert(!strcmp(text, "volume=7\n"));
    return 0;
}
