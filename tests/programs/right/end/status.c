// An exit status other than 0 is no failure by itself.
// EXPECT: complete
// TESTS: 1
int main(void)
{
    return 3;
}
