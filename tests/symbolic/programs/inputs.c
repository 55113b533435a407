/* followed: none; branches: 200
 * Every type of input. */
#include "observe.h"

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int condition);

int main(void)
{
    observe(heddle_bool("bool"));
    observe((uint64_t)heddle_char("char"));
    observe((uint64_t)heddle_schar("schar"));
    observe(heddle_uchar("uchar"));
    observe((uint64_t)heddle_short("short"));
    observe(heddle_ushort("ushort"));
    observe((uint64_t)heddle_int("int"));
    observe(heddle_uint("uint"));
    observe((uint64_t)heddle_long("long"));
    observe(heddle_ulong("ulong"));
    observe((uint64_t)heddle_llong("llong"));
    observe(heddle_ullong("ullong"));
    observe(heddle_size("size"));
    observe((uint64_t)heddle_int8("int8") ^ heddle_uint8("uint8"));
    observe((uint64_t)heddle_int16("int16") ^ heddle_uint16("uint16"));
    observe((uint64_t)heddle_int32("int32") ^ heddle_uint32("uint32"));
    observe((uint64_t)heddle_int64("int64") ^ heddle_uint64("uint64"));
    observe(__VERIFIER_nondet_bool());
    observe((uint64_t)__VERIFIER_nondet_char() ^ __VERIFIER_nondet_uchar());
    observe((uint64_t)__VERIFIER_nondet_short() ^ __VERIFIER_nondet_ushort());
    observe((uint64_t)__VERIFIER_nondet_int() ^ __VERIFIER_nondet_uint());
    observe((uint64_t)__VERIFIER_nondet_long() ^ __VERIFIER_nondet_ulong());
    observe((uint64_t)__VERIFIER_nondet_pointer());
    uint32_t word;
    heddle_bytes(&word, sizeof word, "word");
    observe(word);
    return 0;
}
