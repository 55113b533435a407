# Code that heddle did not compile: it links and runs, on both sides.
cat >plain.c <<'C'
int plain_value = 4;
int plain(int (*back)(int)) { return back(plain_value); }
C
cat >ours.c <<'C'
extern int plain_value;
int plain(int (*)(int));
static int back(int n) { return n + plain_value; }
int ours(void) { return plain(back); }
#ifndef LIBRARY
#include <stdio.h>
int main(void) { printf("%d\n", ours()); return 0; }
#endif
C
cat >main.c <<'C'
#include <stdio.h>
int ours(void);
int main(void) { printf("%d\n", ours()); return 0; }
C
for cc in gcc "clang-$LLVM"; do
    $cc -O2 -c plain.c -o plain.o
    check "an object of $cc" $HCC ours.c plain.o -o prog
    same "an object of $cc runs" "$(./prog)" 8
    $cc -O2 -fPIC -shared plain.c -o libplain.so
    check "a shared library of $cc" $HCC ours.c ./libplain.so -o prog
    same "a shared library of $cc runs" "$(./prog)" 8
    $cc -c main.c -o main.o
    check "main by $cc" $HCC -DLIBRARY ours.c plain.o main.o -o prog
    same "main by $cc runs" "$(./prog)" 8
done
check "a library of libc's kind" bash -c "echo '#include <math.h>
#include <zlib.h>
int main(int c, char **v) { (void)v; return sqrt(c) != 1; }' | sed /zlib/d >m.c && $HCC m.c -lm -o m && ./m"

# a library of heddle's whose constructor runs before anything of the program's
cat >early.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int table[4];
__attribute__((constructor)) static void fill(void)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 4; i++)
        table[i] = i;
    pthread_mutex_unlock(&mutex);
}
int get(int i) { return table[i]; }
C
echo 'int get(int i); int main(void) { return get(3) != 3; }' >late.c
for level in -O0 -O2; do
    $HCC $level -fPIC -shared -o libearly.so early.c
    check "a constructor of a library at $level" bash -c "$HCC $level late.c ./libearly.so -o late && ./late"
done

# what the verdict says of it, with heddle itself; tests/truth/foreign has the ways to call it
HEDDLE=$BUILD/heddle
gcc -O1 -fPIC -shared -o libplain.so plain.c
check "a foreign library links" "$HEDDLE" cc -s -o prog ours.c ./libplain.so
has "a foreign library is named with its first call" "$("$HEDDLE" check ./prog 2>&1)" \
    'not complete: .*libplain.so \(plain at .*ours.c:4, calls back back\); compile it with heddle cc, or rely on it with --trust=libplain.so'
has "a trusted library is not" "$("$HEDDLE" check --trust=libplain ./prog 2>&1)" 'everything explored'
has "HEDDLE_TRUST is --trust" "$(HEDDLE_TRUST=a:libplain "$HEDDLE" check ./prog 2>&1)" 'everything explored'
strip prog
has "a stripped program is not complete" "$("$HEDDLE" check --trust=libplain ./prog 2>&1)" 'not complete: .*stripped'
