// A message that is longer than the memory for it.
// EXPECT: finding lock-discipline at 9
#include <heddle.h>

int main(void)
{
    char to[4];
    heddle_send(0, 0, 0, "longer", 7);
    heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, to, sizeof to, NULL);
}
