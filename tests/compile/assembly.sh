# Inline assembly: what is lifted computes what the machine does, and is told as
# the operations that it is; of the rest, the memory operands are told.
cat >lifted.c <<'C'
#include <stdint.h>
#include <stdio.h>
#define CC "cc", "memory"
static void show(const char *what, uint64_t a, uint64_t b) { printf("%s %lx %lx\n", what, (unsigned long)a, (unsigned long)b); }
#define BINARY(type, suffix, name) \
    { type x = (type)a, y = (type)b; uint8_t z, c, s, o; \
      __asm__ volatile("lock; " name suffix " %1, %0" : "+m"(x) : "q"(y) : CC); show("lock " name suffix, x, 0); \
      __asm__ volatile("lock " name suffix " %2,%0\n\tsetz %1" : "+m"(x), "=qm"(z) : "ir"((type)3) : CC); show("setz", x, z); \
      __asm__ volatile(name suffix " %2, %0" : "+m"(x), "=@ccc"(c) : "q"(y)); show("carry", x, c); \
      __asm__ volatile("{" name suffix " %2, %0|nonsense}" : "+q"(x), "=@ccs"(s) : "q"(y)); show("sign", x, s); \
      __asm__ volatile(name suffix " %2, %0; seto %1" : "+q"(x), "=q"(o) : "q"(y)); show("overflow", x, o); }
#define UNARY(type, suffix, name) \
    { type x = (type)a; uint8_t z; \
      __asm__ volatile("lock; " name suffix " %0" : "+m"(x) : : CC); show("lock " name suffix, x, 0); \
      __asm__ volatile(name suffix " %0" : "+q"(x)); show(name, x, 0); \
      __asm__ volatile("lock; dec" suffix " %0; sete %1" : "+m"(x), "=q"(z) : : CC); show("sete", x, z); \
      __asm__ volatile("lock; inc" suffix " %0" : "+m"(x), "=@ccnz"(z) : : CC); show("nz", x, z); \
      __asm__ volatile("inc" suffix " %0" : "+m"(x), "=@ccle"(z) : : CC); show("le", x, 0); }
#define SWAP(type, suffix) \
    { type x = (type)a, y = (type)b, e = (type)a; uint8_t z; \
      __asm__ volatile("xchg" suffix " %0, %1" : "+m"(x), "+q"(y) : : CC); show("xchg", x, y); \
      __asm__ volatile("xchg %1, %0" : "+q"(y), "+m"(x) : : CC); show("xchg", x, y); \
      __asm__ volatile("lock; xadd" suffix " %1,%0" : "+m"(x), "+q"(y) : : CC); show("xadd", x, y); \
      __asm__ volatile("lock; cmpxchg" suffix " %3, %0; setz %1" : "+m"(x), "=q"(z), "+a"(e) : "q"(y) : CC); show("cmpxchg", x, z); show("old", e, 0); \
      __asm__ volatile("lock; cmpxchg %3, %0" : "+m"(x), "=@ccz"(z), "+a"(e) : "q"(y) : CC); show("cmpxchg", x, z); show("old", e, 0); \
      __asm__ volatile("mov" suffix " %1, %0" : "=q"(y) : "m"(x)); __asm__ volatile("mov" suffix " %1, %0" : "=m"(e) : "q"(y)); show("mov", e, y); \
      __asm__ volatile("cmp" suffix " %2, %1" : "=@ccb"(z) : "m"(x), "q"((type)b)); show("below", z, 0); \
      __asm__ volatile("cmp" suffix " %2, %1" : "=@ccg"(z) : "m"(x), "q"((type)b)); show("greater", z, 0); \
      __asm__ volatile("test" suffix " %2, %1; setbe %0" : "=q"(z) : "m"(x), "q"((type)b)); show("test", z, 0); }
#define BITS(type, suffix, name) \
    { type w[4] = { (type)a, (type)b, 5, 6 }; uint8_t c; int m; type n = (type)(b & 63); \
      __asm__ volatile("lock; " name suffix " %2, %0; setc %1" : "+m"(*w), "=q"(c) : "q"(n) : CC); show("lock " name suffix, w[n / (8 * sizeof n)], c); \
      __asm__ volatile("lock; " name suffix " %2, %0; sbb %1,%1" : "+m"(*w), "=r"(m) : "q"(n) : CC); show("sbb", w[0], (unsigned)m); \
      __asm__ volatile(name suffix " $3, %0" : "+m"(*w), "=@ccc"(c) : : CC); show(name, w[0], c); \
      __asm__ volatile("bt" suffix " %2, %1" : "=@ccc"(c) : "m"(*w), "q"(n)); show("bt", c, 0); }
#define WIDTHS(macro, ...) macro(uint16_t, "w", __VA_ARGS__) macro(uint32_t, "l", __VA_ARGS__) macro(uint64_t, "q", __VA_ARGS__)
#define ALL(macro, ...) macro(uint8_t, "b", __VA_ARGS__) WIDTHS(macro, __VA_ARGS__)
static void both(uint64_t a, uint64_t b)
{
    ALL(BINARY, "add") ALL(BINARY, "sub") ALL(BINARY, "and") ALL(BINARY, "or") ALL(BINARY, "xor")
    ALL(UNARY, "inc") ALL(UNARY, "dec") ALL(UNARY, "neg") ALL(UNARY, "not")
    SWAP(uint8_t, "b") SWAP(uint16_t, "w") SWAP(uint32_t, "l") SWAP(uint64_t, "q")
    WIDTHS(BITS, "bts") WIDTHS(BITS, "btr") WIDTHS(BITS, "btc")
}
static void wide(uint64_t a, uint64_t b)
{
    static uint64_t w[2] __attribute__((aligned(16)));
    uint64_t pair[2] = { a, b }, low, high; uint8_t z;
    w[0] = a, w[1] = b;
    __asm__ volatile("lock; cmpxchg16b %0; setz %1" : "+m"(w), "=q"(z), "+a"(pair[0]), "+d"(pair[1]) : "b"(b), "c"(a) : CC);
    show("cmpxchg16b", z, w[0]);
    __asm__ volatile("movq 0(%3), %%rax; movq 8(%3), %%rdx; lock; cmpxchg16b %0" : "+m"(w), "=@ccz"(z) : "b"(a), "r"(pair), "c"(b) : CC, "rax", "rdx");
    show("cmpxchg16b", z, w[1]);
    __asm__ volatile("mov %%rax, %%rbx; mov %%rdx, %%rcx; lock; cmpxchg16b %2" : "=a"(low), "=d"(high) : "m"(*(const uint64_t *)w) : "rbx", "rcx", CC);
    show("both", low, high);
    __asm__ volatile("movq 8+%1, %0" : "=r"(low) : "m"(w[0])); show("offset", low, 0);
    __asm__ volatile("movq (%1,%2,8), %0; shlq $4, %0" : "=r"(low) : "r"(w), "r"(1L)); show("index", low, 0);
    __asm__ volatile("movzbl %1, %k0; leaq 1(%0), %0" : "=r"(low) : "m"(w[0])); show("widen", low, 0);
    __asm__ volatile("movsbl %b1, %k0" : "=r"(low) : "q"(a)); show("sign", low, 0);
}
int main(void)
{
    static const uint64_t values[] = { 0, 1, ~0ul, 0x7f, 0x80, 0x8000000080008080, 0x7fffffff7fff7f7f, 3 };
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            both(values[i], values[j]), wide(values[i], values[j]);
    double d = 1.5, e = 2.5;
    __asm__ volatile("xchgq %0, %1" : "+m"(d), "+q"(e));
    show("double", d == 2.5, e == 1.5);
    void *self = 0, *same = 0;
    __asm__("movq %%fs:0, %0; mov %%fs:%c2, %1" : "=r"(self), "=r"(same) : "i"(16));
    show("thread", self == __builtin_thread_pointer(), same == *(void *__seg_fs *)0);
    uint32_t leaf = 0, regs[3];
    __asm__ volatile("xchgq %%rbx, %q1; cpuid; xchgq %%rbx, %q1" : "+a"(leaf), "=&r"(regs[0]), "=c"(regs[1]), "=d"(regs[2]));
    show("cpuid", leaf, regs[0]);
    __asm__ volatile("lock; addl $0,0(%%rsp); mfence; sfence\n lfence\n pause; rep; nop" ::: "memory");
    return 0;
}
C
clang-$LLVM -O1 -o native lifted.c && ./native >native.out
for level in 0 1 2; do
    text=$("$BUILD/heddle" cc -O$level -o lifted lifted.c 2>&1) # its atomic blocks need the real runtime
    same "all of it is understood at -O$level" "$text" ""
    ./lifted >lifted.out
    check "it computes the same at -O$level" cmp native.out lifted.out
done

cat >told.c <<'C'
#include <stdint.h>
int word; long wide[2]; char bytes[16];
int main(void)
{
    int old = 1, v;
    __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(word));
    __asm__ volatile("movl %1, %0" : "=m"(word) : "ri"(5));
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(word));
    __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(old), "+m"(word) : "r"(7) : "memory");
    __asm__ volatile("incl %0" : "+m"(word));
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("roll $1, %0" : "+m"(word));
    __asm__ volatile("rep stosb" : : "D"(bytes), "c"(16L), "a"(0) : "memory");
    __asm__ volatile("fnstcw %0" : "=m"(*(short *)bytes));
    __asm__ volatile("roll $1, %0" : "+m"(v));
    return 0;
}
C
$HCC -w -o told told.c
same "what assembly does is told" "$(HD_RECORD=1 ./told 2>&1 | grep -v module)" "load 4 order 2 told.c:6:5 main
store 4 order 2 value 5 told.c:7:5 main
rmw 4 order 7 operation 1 operand 0 told.c:8:5 main
cas 4 order 7 expected 1 desired 7 told.c:9:5 main
read-range 4 told.c:10:5 main
write-range 4 told.c:10:5 main
fence order 7 told.c:11:5 main
write-range 4 told.c:12:5 main
read-range 4 told.c:12:5 main
unseen told.c:12:5 main
unseen told.c:13:5 main
write-range 2 told.c:14:5 main"
