/* followed: none; branches: 200; symbolic: stdin 9
 * Standard input by every function that reads it. */
#define _GNU_SOURCE
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[5], block[4] = "", *whole = NULL;
    size_t room = 0;
    int c = getchar();
    observe((uint64_t)c);
    ungetc(c, stdin);
    observe((uint64_t)fgetc(stdin));
    if (fgets(line, sizeof line, stdin))
        observe(strlen(line) << 8 | (uint8_t)line[1]);
    observe(fread(block, 1, 2, stdin));
    observe(*(uint16_t *)block);
    ssize_t got = getline(&whole, &room, stdin);
    observe((uint64_t)got);
    if (got > 0)
        observe((uint64_t)whole[0]);
    observe((uint64_t)(getc(stdin) == EOF) | (uint64_t)!!feof(stdin) << 1);
    free(whole);
    return 0;
}
