# Functions of the program's own that have the names of modelled ones, in another
# file: they are called, and what they call is modelled. With heddle itself.
HEDDLE=$BUILD/heddle
cat >mine.c <<'C1'
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
typedef struct { pthread_mutex_t m; int locked; } mtx_t;
int calls;
int mtx_init(mtx_t *m, int kind) { (void)kind; m->locked = 0; calls++; return pthread_mutex_init(&m->m, NULL); }
int mtx_lock(mtx_t *m) { int r = pthread_mutex_lock(&m->m); m->locked = 1; calls++; return r; }
int mtx_unlock(mtx_t *m) { m->locked = 0; calls++; return pthread_mutex_unlock(&m->m); }
int send(int n) { calls++; return n + 1; }
int wait(int n) { calls++; return n + 2; }
static int post(int *s) { calls++; return ++*s; }
int sem_post(int *s) __attribute__((alias("post")));
int printf(const char *f, ...)
{
    va_list a;
    va_start(a, f);
    int n = va_arg(a, int);
    va_end(a);
    calls++;
    return n * 2;
}
void *memcpy(void *to, const void *from, size_t n)
{
    calls++;
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
char *strdup(const char *s) { calls++; return (char *)s; }
__attribute__((weak)) long time(long *t) { (void)t; calls++; return 7; }
C1
cat >user.c <<'C1'
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
typedef struct { pthread_mutex_t m; int locked; } mtx_t;
extern int calls;
int mtx_init(mtx_t *, int), mtx_lock(mtx_t *), mtx_unlock(mtx_t *), sem_post(int *);
int send(int), wait(int), printf(const char *, ...);
void *memcpy(void *, const void *, size_t);
char *strdup(const char *);
long time(long *);
static int (*const table[])(int) = { send, wait };
static mtx_t m;
static int x;
static void *worker(void *p) { mtx_lock(&m); assert(m.locked); x++; mtx_unlock(&m); return p; }
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t t;
    int s = 3;
    static char a[40] = "abc", b[40];
    mtx_init(&m, 0);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2 && calls == 5);
    assert(send(1) == 2 && wait(1) == 3 && sem_post(&s) == 4 && s == 4);
    assert(table[0](5) == 6 && table[argc](5) == 7);
    assert(printf("%d\n", 21) == 42);
    memcpy(b, a, (size_t)(20 + argc));
    assert(b[2] == 'c');
    assert(strdup(a) == a && time(NULL) == 7);
    assert(calls == 14);
    return 0;
}
C1

# owned NAME FILE…: a program of these files calls its own functions, by hand and explored
owned() {
    local name=$1
    shift
    check "$name links" "$HEDDLE" cc -o owned "$@"
    check "$name runs" ./owned
    has "$name is explored" "$("$HEDDLE" check ./owned 2>&1)" '^heddle: 2 executions, everything explored, nothing found'
}

for level in -O0 -O2; do
    for file in mine user; do
        check "$file.c at $level" "$HEDDLE" cc -fno-builtin -fPIC $level -c $file.c
    done
    rm -f libmine.a
    ar rc libmine.a mine.o
    owned "an object at $level" user.o mine.o
    owned "an archive at $level" user.o libmine.a
done
owned "an archive, as a whole" user.o -Wl,--whole-archive libmine.a -Wl,--no-whole-archive
owned "an executable at a fixed place" -no-pie user.o libmine.a
ld -r -o both.o mine.o user.o
owned "a partial link" both.o
"$HEDDLE" cc -shared -o libmine.so mine.o
owned "a shared library" user.o ./libmine.so
echo '{ global: calls; mtx_*; send; wait; sem_post; printf; memcpy; strdup; time; local: *; };' >exports
"$HEDDLE" cc -shared -Wl,--version-script=exports -o libmine.so mine.o
owned "a shared library that says what it exports" user.o ./libmine.so
sed 's/^int main/__attribute__((visibility("default"))) int start/' user.c >inside.c
echo 'int start(int, char **); int main(int argc, char **argv) { return start(argc, argv); }' >start.c
"$HEDDLE" cc -fno-builtin -fPIC -fvisibility=hidden -shared -o libinside.so inside.c mine.c
owned "a shared library that keeps them to itself" start.c ./libinside.so

# an allocator: blocks that the C library makes for the program are its own, too
cat >pool.c <<'C1'
#include <pthread.h>
#include <stdint.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char pool[1 << 16];
static size_t used;
int pool_holds(const void *p) { return (uintptr_t)p - (uintptr_t)pool < sizeof pool; }
void *malloc(size_t n)
{
    pthread_mutex_lock(&mutex);
    char *new = pool + used;
    used += (n + 31) & ~15ul;
    pthread_mutex_unlock(&mutex);
    memcpy(new, &n, sizeof n);
    return new + 16;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t size) { return memset(malloc(n * size), 0, n * size); }
void *realloc(void *old, size_t n)
{
    void *new = malloc(n);
    size_t had = 0;
    if (old)
        memcpy(&had, (char *)old - 16, sizeof had);
    return memcpy(new, old ? old : new, had < n ? had : n);
}
C1
cat >blocks.c <<'C1'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int pool_holds(const void *);
static void *worker(void *p) { char *s = malloc(10); assert(pool_holds(s)); free(s); return p; }
int main(void)
{
    pthread_t t;
    char *printed, *line = NULL;
    size_t room = 0;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(pool_holds(strdup("abc")));
    assert(asprintf(&printed, "%d", 5) == 1 && pool_holds(printed));
    FILE *f = fopen("/dev/null", "r");
    assert(f && getline(&line, &room, f) < 0);
    fclose(f);
}
C1
owned "an allocator" blocks.c pool.c
"$HEDDLE" cc -c pool.c
rm -f libpool.a
ar rcs libpool.a pool.o
owned "an allocator in an archive" blocks.c libpool.a

# a result that depends on inputs comes from a function that has the name of a modelled one
echo '#include <heddle.h>
int rand(void) { return heddle_range(0, 100, "n"); }
int puts(const char *s) { return s[0] == 42; }' >inputs.c
echo '#include <assert.h>
#include <heddle.h>
int rand(void);
int puts(const char *);
int main(void) { char c = heddle_char("c"); puts(&c); assert(rand() != 77); if (puts(&c)) assert(0); }' >asks.c
check "inputs through own functions link" "$HEDDLE" cc -fno-builtin -o asks asks.c inputs.c
has "inputs through own functions are followed" "$("$HEDDLE" check --stop=never ./asks 2>&1)" '2 findings'

echo '#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
int main(void) { free(((void *(*)(size_t))dlsym(RTLD_NEXT, "malloc"))(3)); return 0; }' >next.c
check "dlsym links" "$HEDDLE" cc -o next next.c
has "dlsym is named" "$("$HEDDLE" check ./next 2>&1)" 'dlsym is not modelled'
