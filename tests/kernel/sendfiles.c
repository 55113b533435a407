// sendfile: from a file to sockets, pipes and files.
#include "transcript.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>

static char folder[] = "/tmp/heddle-sendfile-XXXXXX";
static int file, ends[2];

static void begin(void)
{
    file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    TRY(write(file, "0123456789", 10));
    TRY(lseek(file, 2, SEEK_SET));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

static void end(void)
{
    char bytes[64];
    long got = recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT);
    say_bytes("got", bytes, got);
    say("at %ld\n", lseek(file, 0, SEEK_CUR));
    close(file);
    close(ends[0]);
    close(ends[1]);
}

static void with_offset(void)
{
    off_t at = 4;
    begin();
    TRY(sendfile(ends[0], file, &at, 3));
    say("offset %ld\n", (long)at);
    TRY(sendfile(ends[0], file, &at, 100));
    say("offset %ld\n", (long)at);
    TRY(sendfile(ends[0], file, &at, 100));
    TRY(sendfile(ends[0], file, &at, 0));
    at = 50;
    TRY(sendfile(ends[0], file, &at, 1));
    say("offset %ld\n", (long)at);
    end();
}

static void without_offset(void)
{
    begin();
    TRY(sendfile(ends[0], file, NULL, 3));
    TRY(sendfile(ends[0], file, NULL, 1));
    TRY(sendfile(ends[0], file, NULL, 100));
    TRY(sendfile(ends[0], file, NULL, 100));
    end();
}

static void to_file(void)
{
    char bytes[20];
    off_t at = 1;
    begin();
    int copy = open("b", O_RDWR | O_CREAT | O_TRUNC, 0600);
    TRY(sendfile(copy, file, &at, 4));
    TRY(sendfile(copy, file, NULL, 2));
    say_bytes("copy", bytes, pread(copy, bytes, sizeof bytes, 0));
    TRY(fcntl(copy, F_SETFL, O_APPEND));
    TRY(sendfile(copy, file, NULL, 2));
    TRY(close(copy));
    end();
}

static void to_pipe(void)
{
    char bytes[20];
    int pipes[2];
    begin();
    TRY(pipe(pipes));
    TRY(sendfile(pipes[1], file, NULL, 5));
    say_bytes("piped", bytes, read(pipes[0], bytes, sizeof bytes));
    TRY(sendfile(pipes[0], file, NULL, 5));
    TRY(close(pipes[0]));
    TRY(close(pipes[1]));
    end();
}

static void errors(void)
{
    off_t at = 0, before = -1;
    int unread = open("a", O_WRONLY), here = open(".", O_RDONLY);
    begin();
    TRY(sendfile(-1, file, NULL, 1));
    TRY(sendfile(ends[0], -1, NULL, 1));
    TRY(sendfile(ends[0], 99, &at, 1));
    TRY(sendfile(99, file, &at, 1));
    TRY(sendfile(ends[0], unread, NULL, 1));
    TRY(sendfile(ends[0], here, NULL, 1));
    TRY(sendfile(ends[0], ends[1], &at, 1));
    TRY(sendfile(ends[0], file, &before, 1));
    close(here);
    close(unread);
    end();
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    RUN(with_offset);
    RUN(without_offset);
    RUN(to_file);
    RUN(to_pipe);
    RUN(errors);
    remove("a");
    remove("b");
    if (chdir("/") || rmdir(folder))
        return 1;
    return finish();
}
