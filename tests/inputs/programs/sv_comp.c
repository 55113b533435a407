// Inputs under the names of SV-COMP.
// EXPECT: finding assertion
// INPUTS: True
// TESTS: 3
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char k = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n > 5);
    if (n == 77)
        if (k == 3)
            reach_error();
    return 0;
}
