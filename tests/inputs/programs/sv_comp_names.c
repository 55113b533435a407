// Every name that SV-COMP has for an input is an input, as wide and with the sign that it says.
// EXPECT: finding assertion
// INPUTS: True
// TESTS: 2
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

extern void reach_error(void);

#define ALL(ROW) \
    ROW(bool, bool, 1) ROW(char, char, -5) ROW(schar, signed char, -6) ROW(uchar, unsigned char, 250) \
    ROW(short, short, -700) ROW(ushort, unsigned short, 65000) ROW(int, int, -70000) ROW(uint, unsigned, 4000000000u) \
    ROW(unsigned, unsigned, 4000000001u) ROW(unsigned_int, unsigned, 4000000002u) \
    ROW(unsigned_char, unsigned char, 251) ROW(unsigned_long, unsigned long, 1ul << 63) ROW(long, long, -1l << 40) \
    ROW(ulong, unsigned long, 1ul << 62) ROW(longlong, long long, -3) ROW(ulonglong, unsigned long long, ~0ull) \
    ROW(u8, uint8_t, 252) ROW(u16, uint16_t, 65001) ROW(u32, uint32_t, 4000000003u) ROW(u64, uint64_t, ~1ull) \
    ROW(s8, int8_t, -7) ROW(s16, int16_t, -701) ROW(s32, int32_t, -70001) ROW(s64, int64_t, -1l << 41) \
    ROW(uint8_t, uint8_t, 253) ROW(uint16_t, uint16_t, 65002) ROW(uint32_t, uint32_t, 4000000004u) \
    ROW(uint64_t, uint64_t, ~2ull) ROW(int8_t, int8_t, -8) ROW(int16_t, int16_t, -702) ROW(int32_t, int32_t, -70002) \
    ROW(int64_t, int64_t, -1l << 42) ROW(size_t, size_t, 1ul << 61) ROW(ssize_t, ssize_t, -9) ROW(loff_t, off_t, -10) \
    ROW(off_t, off_t, -11) ROW(sector_t, unsigned long, 1ul << 60) ROW(pthread_t, unsigned long, 77) \
    ROW(pointer, void *, (void *)78) ROW(pchar, char *, (char *)79) ROW(charp, char *, (char *)80) \
    ROW(const_char_pointer, const char *, (const char *)81)

#define DECLARE(name, type, value) extern type __VERIFIER_nondet_##name(void);
ALL(DECLARE)
extern void __VERIFIER_nondet_memory(void *to, size_t bytes);

int main(void)
{
    unsigned all = 1;
    unsigned char memory[2];
#define IS(name, type, value) all &= __VERIFIER_nondet_##name() == (type)(value);
    ALL(IS)
    __VERIFIER_nondet_memory(memory, sizeof memory);
    all &= memory[0] == 82;
    all &= memory[1] == 83;
    if (all)
        reach_error();
    return 0;
}
