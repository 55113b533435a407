// Files that are mapped, shared and private: by one process, and by a process and its child.
#include "transcript.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { PAGE = 4096 };

static const char *const name = "mapped-file";

static int make(const char *text)
{
    int fd = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
    write(fd, text, strlen(text));
    return fd;
}

static void drop(int fd)
{
    TRY(close(fd));
    TRY(unlink(name));
}

static void errors(void)
{
    int fd = make("text"), reader = open(name, O_RDONLY), writer = open(name, O_WRONLY), folder = open(".", O_RDONLY);
    TRY(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, 99, 0) == MAP_FAILED);
    TRY(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, reader, 0) == MAP_FAILED);
    TRY(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, writer, 0) == MAP_FAILED);
    TRY(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, writer, 0) == MAP_FAILED);
    TRY(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, reader, 0) == MAP_FAILED);
    TRY(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, folder, 0) == MAP_FAILED);
    TRY(mmap(NULL, 0, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
    TRY(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 1) == MAP_FAILED);
    close(reader), close(writer), close(folder);
    drop(fd);
}

static void shared(void)
{
    char buffer[16] = { 0 };
    struct stat at;
    int fd = make("0123456789"), again = open(name, O_RDWR);
    char *a = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *b = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, again, 0);
    say("%.10s %.10s %d\n", a, b, a[10]);
    a[0] = 'A';
    say("%.10s\n", b);
    TRY(pread(again, buffer, 10, 0));
    say("%s\n", buffer);
    TRY(pwrite(again, "BC", 2, 1));
    say("%.10s\n", a);
    a[10] = 'x'; /* behind the end: not part of the file */
    TRY(fstat(fd, &at));
    say("%ld\n", (long)at.st_size);
    TRY(msync(a, PAGE, MS_SYNC));
    TRY(munmap(a, PAGE));
    TRY(munmap(b, PAGE));
    memset(buffer, 0, sizeof buffer);
    TRY(pread(again, buffer, 16, 0));
    say("%s\n", buffer);
    close(again);
    drop(fd);
}

static void after_close(void)
{
    char buffer[16] = { 0 };
    int fd = make("text");
    TRY(ftruncate(fd, 2 * PAGE));
    char *a = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    TRY(close(fd));
    strcpy(a + PAGE, "second page");
    memcpy(a, "TEXT", 4);
    TRY(munmap(a, 2 * PAGE));
    fd = TRY(open(name, O_RDONLY));
    TRY(pread(fd, buffer, 4, 0));
    TRY(pread(fd, buffer + 4, 11, PAGE));
    say("%s\n", buffer);
    drop(fd);
}

static void at_an_offset(void)
{
    int fd = make("");
    TRY(ftruncate(fd, 3 * PAGE));
    char *all = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *last = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 2 * PAGE);
    strcpy(last, "last");
    say("%s\n", all + 2 * PAGE);
    TRY(ftruncate(fd, PAGE));
    TRY(munmap(all, 3 * PAGE));
    TRY(munmap(last, PAGE));
    drop(fd);
}

static void private(void)
{
    char buffer[16] = { 0 };
    int fd = make("0123456789");
    char *a = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    a[0] = 'A';
    TRY(pread(fd, buffer, 10, 0));
    say("%.10s %s\n", a, buffer);
    char *b = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
    say("%.10s\n", b);
    TRY(munmap(a, PAGE));
    TRY(munmap(b, PAGE));
    drop(fd);
}

static void parent_and_child(void)
{
    int fd = make("0123456789");
    char *file = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    char *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *own = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    copy[9] = 'P'; /* the page is the process's own from here on */
    pid_t child = fork();
    if (!child) {
        file[0] = copy[1] = memory[0] = own[0] = 'C';
        _exit(pwrite(fd, "D", 1, 2) == 1 && file[2] == 'D' ? 7 : 1);
    }
    int status = 0;
    TRY(waitpid(child, &status, 0) == child);
    say("%d %.10s %.10s %c %d\n", WEXITSTATUS(status), file, copy, memory[0], own[0]);
    TRY(munmap(file, PAGE));
    drop(fd);
}

int main(void)
{
    RUN(errors);
    RUN(shared);
    RUN(after_close);
    RUN(at_an_offset);
    RUN(private);
    RUN(parent_and_child);
    return finish();
}
