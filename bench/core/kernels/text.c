/* Words of a text: split, put into upper case, compared, joined again. */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { SPAN = 8192 };

static void make_text(char *text)
{
    uint32_t state = 1;
    for (int i = 0; i < SPAN - 1; i++) {
        uint32_t letter = next_random(&state) % 32;
        text[i] = letter < 26 ? (char)('a' + letter) : ' ';
    }
    text[SPAN - 1] = 0;
}

static char *take_word(char **at, size_t *length)
{
    while (**at == ' ')
        ++*at;
    char *word = *at;
    while (**at && **at != ' ')
        ++*at;
    *length = (size_t)(*at - word);
    return word;
}

static uint32_t join_words(char *text, char *joined)
{
    char *at = text, *end = joined;
    uint32_t vowels = 0;
    size_t length;
    for (char *word = take_word(&at, &length); length; word = take_word(&at, &length)) {
        for (size_t i = 0; i < length; i++) {
            vowels += word[i] == 'a' || word[i] == 'e' || word[i] == 'i' || word[i] == 'o' || word[i] == 'u';
            *end++ = (char)(word[i] - 'a' + 'A');
        }
        *end++ = '_';
    }
    *end = 0;
    return vowels;
}

uint64_t kernel_text(uint32_t rounds)
{
    char *text = malloc(SPAN), *joined = malloc(2 * SPAN);
    uint64_t sum = 0;
    make_text(text);
    for (uint32_t r = 0; r < rounds; r++) {
        sum += join_words(text, joined) + strlen(joined);
        sum += strcmp(joined, "A") > 0;
        text[r % (SPAN - 1)] = 'e';
    }
    free(text);
    free(joined);
    return sum;
}
