// Streams of pipes and sockets, and standard streams that dup2 has replaced.
#include "transcript.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static int ends[2];
static FILE *from, *to;

static void open_both(void)
{
    TRY(pipe(ends));
    from = fdopen(ends[0], "r");
    to = fdopen(ends[1], "w");
    say("%d %d\n", fileno(from) == ends[0], fileno(to) == ends[1]);
}

static void lines(void)
{
    char line[20];
    open_both();
    TRY(fprintf(to, "one\ntwo %d\n", 2));
    TRY(fputs("three", to));
    TRY(fclose(to));
    while (fgets(line, sizeof line, from))
        say("<%s>\n", line);
    TRY(feof(from) != 0);
    TRY(ferror(from));
    TRY(fclose(from));
    TRY(close(ends[0]));
    TRY(close(ends[1]));
}

static void characters(void)
{
    open_both();
    TRY(fputc('a', to));
    TRY(putc('b', to));
    TRY(fflush(to));
    TRY(fgetc(from));
    TRY(ungetc('x', from));
    TRY(fgetc(from));
    TRY(getc(from));
    fclose(to);
    TRY(fgetc(from));
    fclose(from);
}

static void blocks(void)
{
    char bytes[3000], got[3000] = "";
    memset(bytes, 'z', sizeof bytes);
    open_both();
    setvbuf(to, NULL, _IONBF, 0);
    TRY(fwrite(bytes, 1, sizeof bytes, to));
    TRY(fread(got, 100, 30, from));
    TRY(memcmp(bytes, got, sizeof got));
    fclose(to);
    TRY(fread(got, 1, 1, from));
    fclose(from);
}

static void words(void)
{
    int a = 0, b = 0;
    char word[10] = "";
    open_both();
    fprintf(to, "12 34 word\n");
    fclose(to);
    TRY(fscanf(from, "%d %d %9s", &a, &b, word));
    say("%d %d %s\n", a, b, word);
    TRY(fscanf(from, "%d", &a));
    fclose(from);
}

static void whole_lines(void)
{
    char *line = NULL;
    size_t room = 0;
    open_both();
    fprintf(to, "a line\nanother");
    fclose(to);
    TRY(getline(&line, &room, from));
    TRY(getline(&line, &room, from));
    TRY(getline(&line, &room, from));
    free(line);
    fclose(from);
}

static void no_position(void)
{
    open_both();
    TRY(ftell(from));
    TRY(fseek(from, 0, SEEK_SET));
    fclose(to);
    fclose(from);
}

static void wrong_modes(void)
{
    TRY(pipe(ends));
    FILE *f = fdopen(ends[0], "w");
    say("%d %s\n", f != NULL, f ? "" : strerrorname_np(errno));
    f = fdopen(ends[1], "r");
    say("%d %s\n", f != NULL, f ? "" : strerrorname_np(errno));
    close(ends[0]);
    close(ends[1]);
    f = fdopen(ends[1], "r");
    say("%d %s\n", f != NULL, f ? "" : strerrorname_np(errno));
}

static void nobody_reads(void)
{
    signal(SIGPIPE, SIG_IGN);
    open_both();
    fclose(from);
    TRY(fputs("lost", to));
    TRY(fflush(to));
    TRY(ferror(to) != 0);
    TRY(fclose(to));
    signal(SIGPIPE, SIG_DFL);
}

static void without_waiting(void)
{
    open_both();
    TRY(fcntl(ends[0], F_SETFL, O_NONBLOCK));
    errno = 0;
    int c = fgetc(from), error = errno;
    say("%d %s %d\n", c, strerrorname_np(error), ferror(from) != 0);
    clearerr(from);
    fputs("x", to);
    fflush(to);
    TRY(fgetc(from));
    fclose(to);
    fclose(from);
}

static void stream_of_a_socket(void)
{
    char line[20];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    FILE *a = fdopen(ends[0], "r+"), *b = fdopen(ends[1], "r+");
    TRY(fputs("ping\n", a));
    TRY(fflush(a));
    say("%s", fgets(line, sizeof line, b));
    TRY(fputs("pong\n", b));
    TRY(fflush(b));
    say("%s", fgets(line, sizeof line, a));
    fclose(a);
    say("%d\n", fgets(line, sizeof line, b) != NULL);
    fclose(b);
}

static void output_into_a_pipe(void)
{
    char text[40] = "";
    fflush(stdout);
    int saved = dup(1);
    TRY(pipe(ends));
    TRY(dup2(ends[1], 1));
    TRY(printf("printed %d\n", 7));
    TRY(puts("put"));
    TRY(write(1, "written\n", 8));
    TRY(fflush(stdout));
    TRY(read(ends[0], text, sizeof text - 1));
    say("%s", text);
    TRY(isatty(1));
    TRY(lseek(1, 0, SEEK_CUR));
    TRY(dup2(saved, 1));
    close(saved);
    close(ends[1]);
    TRY(read(ends[0], text, sizeof text));
    close(ends[0]);
}

static void errors_into_a_pipe(void)
{
    char text[40] = "";
    int saved = dup(2);
    TRY(pipe(ends));
    TRY(dup2(ends[1], 2));
    TRY(fprintf(stderr, "error %d\n", 8));
    errno = ENOENT;
    perror("what");
    TRY(dup2(saved, 2));
    close(saved);
    close(ends[1]);
    long n = read(ends[0], text, sizeof text - 1);
    say("%ld %s", n, text);
    close(ends[0]);
}

static void input_from_a_pipe(void)
{
    char line[20];
    int number = 0, saved = dup(0);
    TRY(pipe(ends));
    TRY(write(ends[1], "first\n42 rest\n", 14));
    close(ends[1]);
    TRY(dup2(ends[0], 0));
    close(ends[0]);
    say("%s", fgets(line, sizeof line, stdin));
    TRY(scanf("%d", &number));
    say("%d\n", number);
    TRY(getchar());
    say("%s", fgets(line, sizeof line, stdin));
    TRY(getchar());
    clearerr(stdin);
    TRY(dup2(saved, 0));
    close(saved);
}

static void pipe_on_a_standard_number(void)
{
    struct stat status;
    char c = 0;
    int available = -1, saved = dup(0);
    TRY(pipe(ends));
    TRY(dup2(ends[0], 0));
    TRY(fstat(0, &status));
    say("%d\n", S_ISFIFO(status.st_mode));
    TRY(write(ends[1], "q", 1));
    TRY(ioctl(0, FIONREAD, &available));
    say("%d\n", available);
    TRY(close(ends[0]));
    TRY(read(0, &c, 1));
    TRY(fcntl(0, F_GETFL) & O_ACCMODE);
    TRY(dup2(0, 0));
    close(ends[1]);
    TRY(read(0, &c, 1));
    TRY(dup2(saved, 0));
    close(saved);
}

int main(void)
{
    RUN(lines);
    RUN(characters);
    RUN(blocks);
    RUN(words);
    RUN(whole_lines);
    RUN(no_position);
    RUN(wrong_modes);
    RUN(nobody_reads);
    RUN(without_waiting);
    RUN(stream_of_a_socket);
    RUN(output_into_a_pipe);
    RUN(errors_into_a_pipe);
    RUN(input_from_a_pipe);
    RUN(pipe_on_a_standard_number);
    return finish();
}
