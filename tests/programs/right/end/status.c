// A status that is not 0 is no failure if any is right, nor is 256: a parent sees its last eight bits.
// EXPECT: complete
// TESTS: 1
// RUN: -DSTATUS=3 OPTIONS=--exit=any
// RUN: -DSTATUS=256
int main(void)
{
    return STATUS;
}
