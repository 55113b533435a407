// SV-COMP's way to say that something must not happen.
// EXPECT: finding assertion
// TESTS: 1
extern void reach_error(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    __VERIFIER_assume(1);
    reach_error();
}
