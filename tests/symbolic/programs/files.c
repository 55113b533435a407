/* followed: none; branches: 200; symbolic: file conf.txt 6 | stdin 3
 * A file of unknown bytes, by descriptor and by stream. */
#include "observe.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char bytes[8] = "";
    struct stat status;
    int fd = open("conf.txt", O_RDONLY);
    if (fd < 0 || fstat(fd, &status) || status.st_size != 6 || read(fd, bytes, 4) != 4)
        __builtin_trap();
    observe(*(uint32_t *)bytes);
    lseek(fd, 1, SEEK_SET);
    if (read(fd, bytes, 8) != 5)
        __builtin_trap();
    observe(*(uint32_t *)bytes);
    close(fd);
    FILE *stream = fopen("conf.txt", "r");
    fseek(stream, 2, SEEK_SET);
    observe((uint64_t)getc(stream));
    fclose(stream);
    stream = fopen("input.txt", "r");
    if (!stream || !fgets(bytes, sizeof bytes, stream) || strcmp(bytes, "text of"))
        __builtin_trap();
    fclose(stream);
    if (read(0, bytes, 8) != 3)
        __builtin_trap();
    observe((uint8_t)bytes[2]);
    return 0;
}
