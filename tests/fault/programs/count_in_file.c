/* Compiled by gcc: counts in a file, which outlives every process. */
#include <fcntl.h>
#include <unistd.h>

int next_count(void)
{
    int file = open("executions", O_WRONLY | O_CREAT | O_APPEND, 0600);
    off_t count = lseek(file, 0, SEEK_END);
    (void)!write(file, "", 1);
    close(file);
    return (int)count;
}
