# Three versions of each function: while nobody watches, plain accesses and loops
# are not told, while one thread exists loops are not; control passes between the versions at calls.
cat >versions.c <<'C'
#include <stdatomic.h>
void rec_watch(int on);
int a, b, c, array[4]; atomic_int flag;
static int add(int n) { a += n; return a; }
__attribute__((noinline)) static int turn(int on, int n) { int before = b; rec_watch(on); b = n; return before; }
static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { s += array[i]; if (i == 1) rec_watch(s != 5); s += i; } return s; }
int main(void)
{
    a = 1;
    rec_watch(0);
    a = 2;
    b = add(3) + 1;
    while (!atomic_fetch_add(&flag, 1)) { }
    int before = turn(1, 8);
    c = before;
    array[0] = 2, array[1] = 3, array[2] = 4;
    int s = sum(4);
    a = s;
    rec_watch(1);
    return !(s == 15 && before == 6);
}
C
expected='write 4 versions.c:9:7 main
rmw 4 order 7 operation 1 operand 1 versions.c:13:13 main
rmw 4 order 7 operation 1 operand 1 versions.c:13:13 main
write 4 versions.c:5:93 turn
write 4 versions.c:15:7 main
write 4 versions.c:16:14 main
write 4 versions.c:16:28 main
write 4 versions.c:16:42 main
read 4 versions.c:6:71 sum
read 4 versions.c:6:71 sum'
for level in -O1 -O2 -O3; do
    same "what is told at $level" "$(recorded versions.c $level | grep -v '^module')" "$expected"
    check "the program computes the same at $level" "$WORK/recorded"
done
has "everything is told at -O0" "$(recorded versions.c -O0)" 'write 4 versions.c:11:7 main'
check "at -O0 too" "$WORK/recorded"

cat >alone.c <<'C'
void rec_watch(int how);
int a; volatile int flag = 1;
int main(void)
{
    rec_watch(2);
    a = 1;
    while (!flag) { }
    while (!flag) a++;
    rec_watch(1);
    while (!flag) { }
    rec_watch(0);
    while (!flag) { }
    return 0;
}
C
for level in -O1 -O2; do
    same "what one thread alone tells at $level" "$(recorded alone.c $level | grep -v '^module')" 'write 4 alone.c:6:7 main
loop first 1 kind 1 alone.c:7:13 main
volatile-read 4 alone.c:7:13 main
volatile-read 4 alone.c:8:13 main
loop first 1 kind 1 alone.c:10:13 main
volatile-read 4 alone.c:10:13 main'
done

# the same numbers whichever version computes them
cat >mixed.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void rec_watch(int on);
struct node { struct node *left, *right; int key; } *root;
static unsigned seed = 7;
static unsigned next(void) { seed = seed * 1664525u + 1013904223u; if (seed >> 29 == 3) rec_watch((seed >> 20) % 3); return seed >> 8; }
static struct node **find(struct node **at, int key) { while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right; return at; }
static int depth(const struct node *n) { if (!n) return 0; int l = depth(n->left), r = depth(n->right); return 1 + (l > r ? l : r); }
static double mean(const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) { s += v[i] * (next() % 3); } return s / n; }
int main(void)
{
    double v[50];
    char text[200] = "";
    for (int i = 0; i < 2000; i++) {
        struct node **place = find(&root, (int)(next() % 1000));
        if (!*place) { *place = calloc(1, sizeof **place); (*place)->key = (int)(next() % 1000); }
        switch (next() % 5) { case 0: v[i % 50] = i; break; case 1: v[i % 50] = -i; break; default: v[i % 50] = 0.5; }
        if (strlen(text) < 150) snprintf(text + strlen(text), 30, "%u,", next() % 10);
    }
    printf("%d %.6f %s\n", depth(root), mean(v, 50), text);
    return 0;
}
C
echo 'void rec_watch(int on) { (void)on; }' >none.c
clang-$LLVM -O1 mixed.c none.c -o plain
for level in -O1 -O2 -O3; do
    $HCC $level mixed.c -o mixed && same "versions mixed at $level" "$(./mixed)" "$(./plain)"
done

# Large functions: hooks are calls, and there is one version.
lines=$(for _ in $(seq 60); do echo '    x += y;'; done)
cat >large.c <<C
void rec_watch(int on);
int x, y;
int main(void)
{
$lines
    rec_watch(0);
$lines
    rec_watch(1);
$lines
    return 0;
}
C
for level in -O0 -O1 -O2; do
    same "large function $level: accesses" "$(recorded large.c $level | grep -c large.c)" 540
done
has "large function: hooks are calls" "$($HCC -O2 -S -emit-llvm -o - large.c)" 'call preserve_mostcc void @hd_write_apart'
has "large function: hooks of twins are calls" "$($HCC -O2 -fheddle-inputs -S -emit-llvm -o - large.c)" \
    'call preserve_mostcc i32 @hd_shadow_load_apart'

# Large files: the same in small functions.
for n in $(seq 700); do echo "int v$n; int f$n(int *a) { int s = 0; for (int i = 0; i < v$n; i++) s += a[i]; return s; }"; done >many.c
has "large file: hooks are calls" "$($HCC -O2 -S -emit-llvm -o - many.c)" 'call preserve_mostcc void @hd_read_apart'
head -n 100 many.c >few.c
hasnt "small file: hooks are inline" "$($HCC -O2 -S -emit-llvm -o - few.c)" hd_read_apart

# Elsewhere hooks are inline where they are executed often: on cycles without calls.
while read -r where name body; do
    echo "int u(int); extern int x, y; void f(int n) { $body }" >heat.c
    is=inline
    $HCC -O2 -emit-llvm -S -o heat.ll heat.c
    grep -q 'call preserve_mostcc void @hd_write_apart' heat.ll && is=apart
    same "hook of a store: $name" "$is" "$where"
done <<'C'
apart outside_of_loops x = n;
inline in_a_loop for (int i = 0; i < n; i++) x ^= i * y;
apart in_a_loop_with_a_call for (int i = 0; i < n; i++) { x = i; u(i); }
inline beside_a_rare_call for (int i = 0; i < n; i++) { if (i == 77) u(i); x ^= i * y; }
apart with_a_rare_call for (int i = 0; i < n; i++) { if (i == 77) { u(i); x = 1; } y ^= i; }
inline in_the_inner_loop for (int i = 0; i < n; i++) { u(i); for (int k = 0; k < i; k++) x ^= k * y; }
apart around_the_inner_loop for (int i = 0; i < n; i++) { u(i); x = i; for (int k = 0; k < i; k++) y ^= k; }
C
