/* Response files: @file on a command line. */
#include "compile/line.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 32 };

static char *read_all(hd_arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    hd_vec(char) text = { 0 };
    for (int c; (c = getc(file)) != EOF;)
        hd_vec_push(&text, (char)c);
    hd_vec_push(&text, '\0');
    bool failed = ferror(file);
    fclose(file);
    char *copy = failed ? NULL : hd_arena_copy(arena, text.items);
    hd_vec_fini(&text);
    return copy;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* Unquotes the word at *at in place; it never grows. */
static char *take_word(char **at)
{
    char *word = *at, *end = word, quote = 0;
    for (; **at && (quote || !is_blank(**at)); ++*at) {
        char c = **at;
        if (c == '\\' && (*at)[1])
            *end++ = *++*at;
        else if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? 0 : c;
        else
            *end++ = c;
    }
    if (**at)
        ++*at;
    *end = '\0';
    return word;
}

void hd_cc_split(hd_arena *arena, hd_cc_texts *into, const char *text)
{
    char *at = hd_arena_copy(arena, text);
    for (;;) {
        while (is_blank(*at))
            at++;
        if (!*at)
            return;
        hd_vec_push(into, take_word(&at));
    }
}

static void expand(hd_arena *arena, hd_cc_texts *into, const char *const *arguments, size_t count, int depth)
{
    for (size_t i = 0; i < count; i++) {
        char *text = arguments[i][0] == '@' && depth < DEEPEST ? read_all(arena, arguments[i] + 1) : NULL;
        if (!text) {
            hd_vec_push(into, arguments[i]);
            continue;
        }
        hd_cc_texts words = { 0 };
        hd_cc_split(arena, &words, text);
        expand(arena, into, words.items, words.count, depth + 1);
        hd_vec_fini(&words);
    }
}

void hd_cc_expand(hd_arena *arena, hd_cc_texts *into, const char *const *arguments, size_t count)
{
    expand(arena, into, arguments, count, 0);
}
