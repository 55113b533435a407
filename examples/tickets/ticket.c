// Takes the next number from a file that several processes share, and claims it: no two processes may get the same.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char counter[] = "counter.txt";

static void lock(int fd, short type)
{
#ifndef UNLOCKED
    struct flock whole = { .l_type = type, .l_whence = SEEK_SET };
    fcntl(fd, F_SETLKW, &whole);
#else
    (void)fd, (void)type;
#endif
}

static int last_number(int fd)
{
    char text[16] = "";
#ifdef REPAIRED
    pread(fd, text, sizeof text - 1, 0);
#else
    (void)fd;
    int again = open(counter, O_RDONLY);
    read(again, text, sizeof text - 1);
    close(again); // and with it the lock: the process has closed a descriptor of the file
#endif
    return atoi(text);
}

static int take_ticket(int fd)
{
    char text[16];
    lock(fd, F_WRLCK);
    int ticket = last_number(fd) + 1;
    int length = snprintf(text, sizeof text, "%d", ticket);
    pwrite(fd, text, length, 0);
    lock(fd, F_UNLCK);
    return ticket;
}

int main(void)
{
    char claim[32];
    int fd = open(counter, O_RDWR | O_CREAT, 0600);
    snprintf(claim, sizeof claim, "ticket-%d", take_ticket(fd));
    int claimed = open(claim, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert(claimed >= 0);
    return 0;
}
