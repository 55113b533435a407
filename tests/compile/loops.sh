# Which loops get a hook, and which rounds are told to change nothing: 1 pure,
# 0 unknown, - compared at run time, none without a hook.
cat >loops.c <<'C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
atomic_int f, g; int plain; volatile int vol; pthread_mutex_t m; atomic_flag flag; int array[8];
struct list { struct list *next; };
int other(void);
int spin_atomic_1(void) { while (!atomic_load(&f)) ; return 0; }
int spin_yield_1(void) { while (!atomic_load(&f)) sched_yield(); return 0; }
int spin_volatile_1(void) { while (!vol) ; return 0; }
int spin_plain_1(void) { while (!plain) ; return 0; }
int spin_dead_counter_1(void) { int n = 0; while (!atomic_load(&f)) n++; return 0; }
int spin_live_counter_x(void) { int n = 0; while (!atomic_load(&f)) n++; return n; }
int spin_sleep_1(void) { while (!atomic_load(&f)) { struct timespec t = { 0, 1 }; nanosleep(&t, 0); } return 0; }
static int try(void) { int e = 0; return atomic_compare_exchange_strong(&f, &e, 1); }
int spin_helper_1(void) { while (!try()) usleep(1); return 0; }
static int bump(void) { return ++plain; }
int spin_helper_that_stores_0(void) { while (!bump()) ; return 0; }
int spin_tas_1(void) { while (atomic_flag_test_and_set(&flag)) __builtin_ia32_pause(); return 0; }
int spin_asm_1(void) { while (!atomic_load(&f)) __asm__ volatile("pause" ::: "memory"); return 0; }
int spin_fence_1(void) { while (!atomic_load(&f)) __asm__ volatile("mfence" ::: "memory"); return 0; }
int spin_load_1(void) { int v; do __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(plain) : "memory"); while (!v); return 0; }
int spin_asm_0(void) { while (!atomic_load(&f)) __asm__ volatile("clflush %0" : "+m"(plain) : : "memory"); return 0; }
int spin_store_0(void) { while (!atomic_load(&f)) plain++; return 0; }
int spin_atomic_store_0(void) { while (!atomic_load(&f)) atomic_store(&g, 1); return 0; }
int spin_external_0(void) { while (!other()) ; return 0; }
int spin_time_0(void) { while (time(0) < 5) ; return 0; }
int spin_lock_1(void) { for (;;) { pthread_mutex_lock(&m); if (plain) break; pthread_mutex_unlock(&m); } return 0; }
int spin_trylock_1(void) { while (pthread_mutex_trylock(&m)) sched_yield(); return 0; }
int spin_toggle_x(void) { int n = 0; while (!atomic_load(&f)) n = !n; return n; }
int spin_once_x(void) { int n = 0; while (!atomic_load(&f)) n = 1; return n; }
int spin_backoff_x(void) { int d = 1; while (atomic_flag_test_and_set(&flag)) { for (volatile int i = 0; i < d; i++) { } if (d < 64) d *= 2; } return 0; }
int spin_local_memory_0(int k) { int a[4] = { 0 }; while (!atomic_load(&f)) { a[k]++; if (a[0] > 5) break; } return 0; }
int spin_goto_1(void) { again: if (!atomic_load(&f)) goto again; return 0; }
int cas_fresh_1(void) { int old; do old = atomic_load(&f); while (!atomic_compare_exchange_weak(&f, &old, old + 1)); return 0; }
int cas_updated_x(void) { int old = atomic_load(&f); while (!atomic_compare_exchange_weak(&f, &old, old + 1)) ; return 0; }
int for_ever_1(void) { for (;;) ; return 0; }
int count_up_none(void) { for (int i = 0; i < 10; i++) sched_yield(); return 0; }
int count_up_to_n_none(long n) { for (int i = 0; i < n; i++) sched_yield(); return 0; }
int count_down_none(int n) { while (n--) atomic_fetch_add(&f, 1); return 0; }
int count_bounded_spin_none(void) { for (int i = 0; i < 5 && !atomic_load(&f); i++) sched_yield(); return 0; }
int count_unequal_none(unsigned n) { for (unsigned i = 0; i != n; i++) atomic_load(&f); return 0; }
int count_wrong_way_x(void) { for (int i = 0; i < 5; i--) atomic_load(&f); return 0; }
int count_not_always_x(void) { int i = 0; for (;;) { if (atomic_load(&f)) continue; if (i++ > 5) break; } return 0; }
int count_moving_end_x(int n) { for (int i = 0; i < n; i++) if (atomic_load(&f)) n++; return 0; }
int sum_none(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int walk_none(struct list *p) { int n = 0; for (; p; p = p->next) n++; return n; }
int walk_calling_0(struct list *p) { for (; p; p = p->next) other(); return 0; }
int fill_none(void) { for (int i = 0; i < 8; i++) array[i] = i; return 0; }
C
kinds() { # IR to "function kind" lines
    awk '/^define/ { name = $0; sub(/.*@/, "", name); sub(/\(.*/, "", name) }
        /call void @hd_loop\(/ { kind = $0; sub(/.*hd_loop\(i32 [^,]*, i32 /, "", kind); sub(/,.*/, "", kind)
            print name, kind ~ /%/ ? "x" : kind; seen[name] = 1 }
        /^}/ { if (name && !seen[name]) print name, "none"; name = "" }' | grep -E '_(none|[01x]) '
}
result=$($HCC -O0 -w -S -emit-llvm -o - loops.c | kinds)
while read -r name kind; do
    same "loop $name" "$kind" "${name##*_}"
done <<<"$result"
same "all loops were looked at" "$(wc -l <<<"$result")" "$(grep -c '^int [a-z_]*_\(none\|[01x]\)(' loops.c)"

cat >rounds.c <<'C'
#include <stdatomic.h>
atomic_int f = 3;
static int spin(void)
{
    int n = 0;
    while (atomic_fetch_sub(&f, 1) > 1)
        n = 1;
    return n;
}
int main(void) { return !spin(); }
C
expected='loop first 1 kind 1 rounds.c:6:12 spin
loop first 0 kind 0 rounds.c:6:12 spin
loop first 0 kind 1 rounds.c:6:12 spin'
for level in -O0 -O2 -O3; do
    same "kinds compared at run time, $level" "$(recorded rounds.c $level | grep loop)" "$expected"
done
