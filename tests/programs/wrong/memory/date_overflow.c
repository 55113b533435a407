// EXPECT: finding heap-overflow at 13
// TESTS: 1
#include <stdlib.h>
#include <time.h>

int main(void)
{
    struct tm date;
    time_t now = 1700000000;
    char *text = malloc(10);
    gmtime_r(&now, &date);
    strftime(text, 20, "%Y-%m", &date); /* seven characters and the end: fits */
    strftime(text, 20, "%Y-%m-%d", &date);
    free(text);
}
