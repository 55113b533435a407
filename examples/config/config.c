/* Reads settings, a line each, from standard input: `name=value`. A value is a
 * number, or a word in quotes. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 8, LONGEST_WORD = 4 };

struct setting {
    char name[LONGEST_NAME];
    long number;
    char *word;
};

static int next = ' ';

static int read_name(struct setting *s)
{
    int length = 0;
    while (islower(next) && length < LONGEST_NAME - 1) {
        s->name[length++] = (char)next;
        next = getchar();
    }
    s->name[length] = '\0';
    return length > 0;
}

static int read_number(struct setting *s)
{
    if (!isdigit(next))
        return 0;
    for (; isdigit(next); next = getchar())
        s->number = s->number * 10 + (next - '0');
    return 1;
}

/* The quotes are not part of the word. */
static int read_word(struct setting *s)
{
    int length = 0;
    for (next = getchar(); next != '"' && next != EOF; next = getchar())
        if (length < LONGEST_WORD)
            s->word[length++] = (char)next;
    s->word[length] = '\0';
    return next == '"';
}

static int read_setting(struct setting *s)
{
    memset(s, 0, sizeof *s);
    s->word = calloc(LONGEST_WORD, 1);
    if (!read_name(s) || next != '=')
        return 0;
    next = getchar();
    return next == '"' ? read_word(s) : read_number(s);
}

int main(void)
{
    struct setting s;
    next = getchar();
    int fine = read_setting(&s);
    if (fine)
        printf("%s: %ld '%s'\n", s.name, s.number, s.word);
    free(s.word);
    return !fine;
}
