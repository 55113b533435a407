// Filters in processes of their own, with pipes as their standard streams. Whatever the schedule is, the results are the
// same.
// THREADS: 100
#include "transcript.h"

#include <ctype.h>
#include <sys/wait.h>

static int in[2], out[2];

static void close_all(void)
{
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
}

static pid_t start(void (*filter)(void))
{
    pid_t child = fork();
    if (child)
        return child;
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    close_all();
    filter();
    exit(0);
}

static void to_upper(void)
{
    int c;
    while ((c = getchar()) != EOF)
        putchar(toupper(c));
}

static void number_lines(void)
{
    char line[20];
    for (int i = 1; fgets(line, sizeof line, stdin); i++)
        printf("%d %s", i, line);
}

static void pass(void (*filter)(void), const char *text)
{
    char got[40] = "";
    int status = -1;
    TRY(pipe(in));
    TRY(pipe(out));
    pid_t child = start(filter);
    close(in[0]);
    close(out[1]);
    FILE *to = fdopen(in[1], "w");
    TRY(fputs(text, to));
    TRY(fclose(to));
    TRY(waitpid(child, &status, 0) == child);
    TRY(status);
    TRY(read(out[0], got, sizeof got - 1));
    say("%s", got);
    TRY(read(out[0], got, sizeof got));
    TRY(close(out[0]));
}

static void upper(void)
{
    pass(to_upper, "text\nmore\n");
}

static void numbers(void)
{
    pass(number_lines, "a\nb\n");
}

int main(void)
{
    RUN(upper);
    RUN(numbers);
    return finish();
}
