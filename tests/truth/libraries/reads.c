/* A library that lets the kernel write into its variables. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char text[3 * 4096];
static struct stat status;
static char first[4096], second[2 * 4096];

int reads_text(const char *path)
{
    int fd = open(path, O_RDONLY);
    ssize_t got = read(fd, text, sizeof text);
    close(fd);
    return (int)got;
}

int reads_byte(int i)
{
    return text[i];
}

int reads_vector(const char *path)
{
    struct iovec parts[] = { { first, sizeof first }, { second, sizeof second } };
    int fd = open(path, O_RDONLY);
    ssize_t got = readv(fd, parts, 2);
    close(fd);
    return (int)got;
}

int reads_size(const char *path)
{
    int known = status.st_size != 0;
    return stat(path, &status) ? -1 : known;
}
