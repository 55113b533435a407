#include <stdlib.h>

static void die(void)
{
    abort();
}

int main(void)
{
    die();
}
