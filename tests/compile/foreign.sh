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
