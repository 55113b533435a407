# What is hooked, how, and what need not be.
run_hooks() { # SOURCE: hooks without their places
    recorded "$@" | grep -v '^module' | sed -E 's/ [^ ]*:[0-9]+:[0-9]+ [a-z_0-9]*$//'
}

cat >sizes.c <<'C'
#include <stdint.h>
#include <string.h>
struct __attribute__((packed)) odd { char c; int i; } odd;
uint8_t b; uint16_t h; uint32_t w; uint64_t d; float f; double g; long double l; __int128 x; _Bool t;
int v __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
v4 vec; volatile int vol; char buffer[100], copy[100]; size_t n = 30; struct { unsigned a : 3, b : 5; } bits;
int main(void)
{
    b = 1; h = 1; w = 1; d = 1; f = 1; g = 1; l = 1; x = 1; t = 1;
    odd.i = 3;
    vec = (v4) { 1, 2, 3, 4 };
    vol = 3;
    (void)vol;
    bits.b = 1;
    memset(buffer, 7, 50);
    memcpy(copy, buffer, 20);
    memcpy(copy, buffer, n);
    memmove(buffer + 1, buffer, 3);
    return copy[29] != 7 || buffer[1] != 7;
}
C
expected='write 1
write 2
write 4
write 8
write 4
write 8
write-range 16
write-range 16
write 1
write-range 4
write-range 16
volatile-write 4
volatile-read 4
read 1
write 1
write-range 50
read-range 20
write-range 20
read 8
call memmove
read-range 3
write-range 3
read 1
read 1'
result=$(run_hooks sizes.c -O0)
same "sizes" "$(sed 's/^write-range 10$/write-range 16/' <<<"$result")" "$expected"
same "sizes, optimised" "$(run_hooks sizes.c -O2)" "$result"

cat >atomics.c <<'C'
#include <stdatomic.h>
#include <stdint.h>
_Atomic int i; _Atomic(uint64_t) d; _Atomic(int *) p; atomic_flag flag; _Atomic(float) f; int plain; char c;
int main(void)
{
    int e = 0;
    atomic_store_explicit(&i, 5, memory_order_release);
    (void)atomic_load_explicit(&i, memory_order_acquire);
    (void)atomic_load_explicit(&i, memory_order_relaxed);
    atomic_fetch_add(&i, 2);
    atomic_fetch_sub_explicit(&d, 3, memory_order_acq_rel);
    atomic_exchange(&p, &plain);
    atomic_compare_exchange_strong(&i, &e, 9);
    atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    atomic_store(&f, 1.0f);
    __sync_fetch_and_or(&plain, 4);
    __sync_bool_compare_and_swap(&c, 0, 255);
    __sync_synchronize();
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_seq_cst);
    __atomic_nand_fetch(&plain, 1, __ATOMIC_SEQ_CST);
    return i;
}
C
expected='store 4 order 5 value 5
load 4 order 4
load 4 order 2
rmw 4 order 7 operation 1 operand 2
rmw 8 order 6 operation 2 operand 3
rmw 8 order 7 operation 0 operand P
cas 4 order 7 expected 0 desired 9
rmw 1 order 7 operation 0 operand 1
store 1 order 7 value 0
store 4 order 7 value 3f800000
rmw 4 order 7 operation 5 operand 4
cas 1 order 7 expected 0 desired ff
fence order 7
fence order 4
rmw 4 order 7 operation 4 operand 1
load 4 order 7'
same "atomics" "$(run_hooks atomics.c -w -O2 | sed -E '6s/operand .*/operand P/')" "$expected"

cat >private.c <<'C'
#include <stdarg.h>
#include <string.h>
int sink; int *leak; volatile int zero;
static const int table[4] = { 1, 2, 3, 4 };
static void keep(int *p) { leak = p; }
static int local(int n) /* nothing to see */
{
    int a[8], *p = n ? a : a + 1;
    volatile int v = 3;
    struct { int x, y; } s = { 1, 2 };
    memset(a, 0, sizeof a);
    for (int i = 0; i < 7; i++)
        p[i] += table[i & 3] + v;
    const char *word = n ? "one" : "two";
    return a[3] + s.x + word[1];
}
static int sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    int s = va_arg(list, int);
    va_end(list);
    return s;
}
static int passed(void)
{
    int a[2] = { 0, 1 };
    keep(a + 1);
    return a[1]; /* hooked: somebody knows a */
}
static int stored(void)
{
    int x = 1, y = 2, *both[2] = { &x, &y };
    *both[zero] = 5;
    return x; /* hooked: x is pointed to from memory */
}
static int chosen(int n)
{
    int mine = 1;
    int *p = n ? &mine : &sink;
    *p = 4; /* hooked: it may be sink */
    return mine;
}
static long number(void)
{
    int x = 1;
    long address = (long)&x;
    *(int *)address = 7; /* hooked */
    return address;
}
int main(void)
{
    int r = local(1);
    r += sum(1, 2);
    r += passed();
    r += stored();
    r += chosen(1);
    r += number() != 0;
    return r == 0;
}
C
result=$(recorded private.c -O0 | grep -v '^module')
hasnt "private memory is not hooked" "$result" ' local$'
has "what was passed on is" "$result" 'read 4 private.c:29:12 passed'
has "what memory points to is" "$result" 'read 4 private.c:35:12 stored'
has "what may be shared is" "$result" 'write 4 private.c:41:8 chosen'
has "what became a number is" "$result" 'write 4 private.c:48:21 number'

cat >tls.c <<'C'
#include <pthread.h>
#include <stdio.h>
_Thread_local int a = 3; static __thread struct { int x; char text[8]; } b = { 1, "text" };
_Thread_local int zeros[4];
int *address(void) { return &zeros[2]; }
static void *run(void *r) { a++; b.text[0] = 'n'; *address() = 5; *(int *)r = a + b.x + zeros[2]; return 0; }
int main(void)
{
    int r;
    pthread_t t;
    a = 10;
    pthread_create(&t, 0, run, &r);
    pthread_join(t, 0);
    printf("%d %d %s %d %d\n", r, a, b.text, zeros[2], &a == &a);
    return 0;
}
C
for level in -O0 -O2; do
    $HCC $level tls.c -o tls && same "thread-local variables at $level" "$(./tls)" "10 10 text 0 1"
done
hasnt "no thread-local symbol is left" "$(readelf -sW tls)" ' TLS .* (a|b|zeros)$'

cat >globals.c <<'C'
int zero, one = 1; static int hidden = 2; const int fixed = 3; char text[] = "abc";
int placed __attribute__((section("mine"))) = 4; int weak __attribute__((weak)) = 5;
__attribute__((constructor)) static void early(void) { zero = 9; }
int main(void) { static int inside; inside += hidden + one + fixed + placed + weak + text[0]; return inside == zero; }
C
$HCC -c globals.c -o globals.o
symbols=$(objdump -t globals.o)
has "a zero variable" "$symbols" 'hd_bss.* zero$'
has "a static one inside a function" "$symbols" 'hd_bss.* main\.inside$'
has "an initialised one" "$symbols" 'hd_data.* one$'
has "a weak one" "$symbols" 'hd_data.* weak$'
has "constants stay" "$symbols" 'rodata.* fixed$'
has "the user's section stays" "$symbols" ' mine.* placed$'
has "hd_bss takes no room in the file" "$(readelf -SW globals.o)" ' hd_bss +NOBITS'
has "the module is registered, before the program's constructors" "$(recorded globals.c | head -n 1)" '^module data 1[0-9] bss [0-9]+$'
cp globals.c second.c && sed -i 's/main/other/; s/one/uno/g; s/zero/nil/g; s/text/txt/g; s/weak = 5/weak = 6/; s/int placed/static int placed/; s/const int fixed/static const int fixed/' second.c
$HCC globals.c second.c -o two && same "once for two objects" "$(HD_RECORD=1 ./two 2>&1 | grep -c '^module')" 1

cat >calls.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_barrier_t b;
static size_t strlen_of_mine(const char *s) { return strlen(s); }
size_t (*volatile pointer)(const char *) = strlen;
static int usleep_like(void) { return 0; }
char *strdup(const char *s) { (void)s; return "my own"; }
int main(void)
{
    pthread_barrier_init(&b, NULL, 1);
    pthread_barrier_wait(&b);
    if (pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD)
        return 1;
    char *text = strdup("x");
    int r = (int)pointer(text);
    int status = system("true");
    if (status)
        _exit(0);

    write(1, "", 0);
    FILE *(*volatile start)(const char *, const char *) = popen;
    (void)start;
    return r + usleep_like() + (int)strlen_of_mine(text) != 12;
}
C
result=$(recorded calls.c -O0 -fno-builtin)
check "a program's own function stays its own" "$WORK/recorded"
has "an unused result has its own function" "$(nm "$WORK/recorded")" 'hd_pthread_barrier_wait_unused'
has "the used one too" "$result" 'call pthread_barrier_wait calls.c:16:9 main'
has "an indirect call tells its place" "$result" 'call strlen calls.c:19:18 main'
has "a call that is not modelled is told" "$result" 'unmodelled system calls.c:20:18 main'
has "a pointer to such a function is told" "$result" 'unmodelled popen calls.c:25:22 main'
has "write is redirected" "$result" 'call write calls.c:24:5 main'
hasnt "strdup is not the library's" "$(nm "$WORK/recorded")" 'U strdup'

cat >promises.c <<'C'
/* What the source promises of functions is not true once a hook is inside. */
int g;
__attribute__((pure, noinline)) static int get(void) { return g; }
__attribute__((const, noinline)) static int constant(int *p) { return *p; }
int main(void) { int a = get() + constant(&g); int b = get() + constant(&g); return a != b; }
C
same "pure functions are called as often as written" \
    "$(recorded promises.c -O3 | grep -c '^read')" 4
has "frames can be walked" "$($HCC -O2 -fomit-frame-pointer -S -o - promises.c)" 'movq	%rsp, %rbp'

cat >corners.c <<'C'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf again;
static int counter, *where;
__attribute__((naked)) int naked(void) { __asm__("mov $3, %eax\n ret"); }
static void clean(int *p) { counter += *p; }
static int cleanup(void) { __attribute__((cleanup(clean))) int x = 2; return counter + x; }
static int computed(int n)
{
    static void *const labels[] = { &&one, &&two };
    goto *labels[n];
one:
    return 10 + counter;
two:
    return 20 + counter;
}
static int many(int n)
{
    switch (n) {
    case 0: return counter;
    case 1: return 7;
    case 2 ... 5: return counter + n;
    default: return -1;
    }
}
static int unreachable(int n)
{
    while (n--) {
        where = &counter;
        if (*where > 100)
            break;
    }
    return n;
    for (;;)
        counter++;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static _Complex double complex_value = 1.0;
static int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }
int main(void)
{
    volatile int rounds = 0;
    int data[] = { 3, 1, 2 };
    if (setjmp(again) < 2) {
        rounds++;
        longjmp(again, rounds);
    }
    qsort(data, 3, sizeof *data, compare);
    complex_value *= 2.0;
    printf("%d %d %d %d %d %d %d %g %d\n", naked(), cleanup(), computed(1), many(3), unreachable(2), rounds, data[0],
        __real__ complex_value, vla(4));
    return 0;
}
C
for flags in -O0 -O1 -O2 -O3 -Os "-O2 -fexceptions" "-O2 -fno-pic -no-pie" "-O2 -march=native" "-O1 -mno-avx"; do
    $HCC $flags corners.c -o corners && same "corners of the language, $flags" "$(./corners)" "3 2 22 5 -1 2 1 2 3"
done

# Accesses that are known to be allowed, because the same bytes were accessed on
# every way there since the last call.
cat >again.c <<'C'
typedef struct pair { int first, second; } pair;
pair pairs[4];
__attribute__((noinline)) static void call(void) { __asm__ volatile("" ::: "memory"); }
static int twice(pair *p, int i, int call_between)
{
    int sum = p[i].first;
    if (call_between)
        call();
    else
        sum += p[i].first;
    return sum + p[i].first;
}
static int in_loops(pair *p)
{
    int sum = p->second;
    for (int i = 0; i < 1; i++)
        sum += p->second;
    for (int i = 0; i < 1; i++, call())
        sum += p->second;
    return sum;
}
static void wider(void *p) { *(char *)p = 1; *(int *)p = 2; *(short *)p = 3; }
int main(int argc, char **argv)
{
    pair *p = pairs;
    int sum = twice(p, 1, argc > 5) + in_loops(p);
    wider(p);
    return argv[argc] || sum;
}
C
for level in -O0 -O1 -O2; do
    same "what is known to be allowed at $level" "$(HD_RECORD_AGAIN=1 recorded again.c $level | grep -E '^(again-)?(read|write) .* (twice|in_loops|wider)$')" \
'read 4 again.c:6:20 twice
again-read 4 again.c:10:21 twice
read 4 again.c:11:23 twice
read 4 again.c:15:18 in_loops
again-read 4 again.c:17:19 in_loops
read 4 again.c:19:19 in_loops
write 1 again.c:22:41 wider
write 4 again.c:22:56 wider
again-write 2 again.c:22:73 wider'
done
