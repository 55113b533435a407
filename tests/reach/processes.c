/* A system of copies of this program: the first receives a number that any of the others has sent. */
#include <assert.h>
#include <heddle.h>
#include <stdlib.h>

int main(void)
{
    int rank = atoi(getenv("HEDDLE_RANK")), got;
    if (rank) {
        heddle_send(0, rank, 0, &rank, sizeof rank);
        return 0;
    }
    heddle_receive(0, HEDDLE_ANY, HEDDLE_ANY, &got, sizeof got, NULL);
    assert(got == 1);
}
