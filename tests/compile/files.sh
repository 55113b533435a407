# Files beside the output, messages, refusals, exit statuses.
mkdir -p inc out
echo '#define ONE 1' >inc/one.h
cat >dep.c <<'C'
#include "one.h"
#include <stddef.h>
int dep(void) { return ONE; }
C

# what clang writes for the same line is what is expected
deps() { # NAME OUTPUT ARGUMENTS…
    local name=$1 file=$2
    shift 2
    rm -f "$file" && clang-$LLVM -Iinc "$@" && mv "$file" expected.d
    rm -f "$file" && $HCC -Iinc "$@"
    same "dependencies: $name" "$(cat "$file" 2>&1)" "$(cat expected.d)"
}
deps "-MD -c -o" out/x.d -MD -c dep.c -o out/x.o
deps "-MMD -c" dep.d -MMD -c dep.c
deps "-MF" some.d -MMD -MF some.d -c dep.c -o out/x.o
deps "-MF joined, -MP" some.d -MMD -MFsome.d -MP -c dep.c -o out/x.o
deps "-MT" out/x.d -MD -MT 'a b$c' -c dep.c -o out/x.o
deps "-MQ" out/x.d -MMD -MQ 'a$b' -MT second -c dep.c -o out/x.o
deps "target with a dollar" 'out/d$x.d' -MMD -c dep.c -o 'out/d$x.o'
deps "-S" out/x.d -MMD -S dep.c -o out/x.s
deps "no ending" out/x.d -MMD -c dep.c -o out/x
deps "-Wp,-MMD" wp.d -Wp,-MMD,wp.d -c dep.c -o out/x.o
deps "-M -o" m.d -M dep.c -o m.d
same "-MM to standard output" "$($HCC -Iinc -MM dep.c)" "dep.o: dep.c inc/one.h"
echo 'int main(void) { return 0; }' >link.c
deps "-MMD in a link" prog.d -MMD link.c -o prog

cat >wrong.c <<'C'
int main(void) { return missing; }
C
clang_says=$(clang-$LLVM -c wrong.c -o wrong.o 2>&1)
same "a compile error is clang's" "$($HCC -c wrong.c -o wrong.o 2>&1)" "$clang_says"
$HCC -c wrong.c -o wrong.o 2>/dev/null
same "and its status" "$?" 1
check "and no object" test ! -e wrong.o
has "colours on request" "$($HCC -fcolor-diagnostics -c wrong.c 2>&1)" $'\033'
$HCC wrong.c -o wrong 2>/dev/null
same "no link after an error" "$?:$(ls wrong 2>/dev/null)" "1:"
same "all sources are looked at" "$($HCC -c wrong.c wrong.c 2>&1 | grep -c 'error: use of')" 2
echo 'int unknown(void); int main(void) { return unknown(); }' >undefined.c
has "a link error names the place" "$($HCC undefined.c -o undefined 2>&1)" 'undefined.c:1.*undefined reference to `unknown'
$HCC undefined.c -o undefined 2>/dev/null
same "and its status" "$?" 1
has "a missing file" "$($HCC -c nothing.c 2>&1)" "no such file or directory: 'nothing.c'"
has "no place for the output" "$($HCC -c link.c -o none/x.o 2>&1)" 'none/x.o'
check "it fails" bash -c "! $HCC -c link.c -o none/x.o"
has "-o with two sources" "$($HCC -c link.c dep.c -o x.o 2>&1)" 'cannot specify -o when generating multiple output files'
echo 'int main(void) { int unused; return 0; }' >warn.c
same "warnings once, and clang's" "$($HCC -Wall -c warn.c 2>&1)" "$(clang-$LLVM -Wall -c warn.c 2>&1)"
check "-Werror fails" bash -c "! $HCC -Wall -Werror -c warn.c"
check "TMPDIR that is not there" bash -c "! TMPDIR=/nowhere $HCC -c link.c 2>err"
has "it says so" "$(cat err)" '/nowhere'

for pair in a.cpp:C++ a.cc:C++ a.cxx:C++ a.C:C++ a.m:Objective-C a.f90:Fortran a.cu:CUDA a.ll:LLVM; do
    : >"${pair%:*}"
    text=$($HCC -c "${pair%:*}" 2>&1)
    same "${pair%:*} is refused" "$?" 2
    has "${pair%:*} says why" "$text" "${pair%:*}: this is ${pair#*:}"
done
text=$($HCC -x c++ -c link.c 2>&1)
same "-x c++ is refused" "$?" 2

cat >asm.c <<'C'
int word;
void barrier(void) { __asm__ volatile("" ::: "memory"); }
void wait(void) { __asm__ volatile("pause"); __asm__ volatile("rep; nop" ::: "memory"); }
unsigned swap(unsigned x) { __asm__("bswap %0" : "+r"(x)); return x; }
void set(int *p) { __asm__ volatile("movl $1, (%0)" : : "r"(p) : "memory"); }
void add(void) { __asm__ volatile("incl %0" : "+m"(word)); }
#ifdef TOUCH
void fill(char *p, long n) { __asm__ volatile("rep stosb" : "+D"(p), "+c"(n) : "a"(0) : "memory"); }
void turn(void) { __asm__ volatile("roll $1, %0" : "+m"(word)); }
__asm__(".globl far\nfar: ret");
void far(void);
void call(void) { far(); }
#endif
C
same "harmless assembly is not warned of" "$($HCC -c asm.c 2>&1)" ""
text=$($HCC -DTOUCH -c asm.c 2>&1)
has "assembly: a warning" "$text" '^asm.c:8:30: warning: inline assembly that accesses memory is not understood by heddle: a check that executes it is not complete$'
has "for each" "$text" '^asm.c:9:19: warning: inline assembly'
has "functions, too" "$text" '^asm.c:1:1: warning: the function far, which is assembly, is not understood'
same "and no others" "$(grep -c warning <<<"$text")" 3
same "not with -w" "$($HCC -w -DTOUCH -c asm.c 2>&1)" ""
echo 'void f(void) { __asm__("nonsense %eax"); }' >badasm.c
text=$($HCC -c badasm.c 2>&1)
same "an error in assembly ends in 1" "$?" 1
has "and is reported" "$text" 'badasm.c.*error.*'

# a signal while compiling: nothing is left, and the process died of it
(
    echo '#define A(x) x x x x x x x x'
    echo 'int a[] = { A(A(A(A(A(A(A(1,))))))) };'
) >slow.c
$HCC -c slow.c -o slow.o 2>/dev/null &
child=$!
for _ in $(seq 100); do
    [ -n "$(ls "$TMPDIR")" ] && break
    sleep 0.01
done
kill -TERM $child 2>/dev/null
wait $child 2>/dev/null
same "a signal ends it" "$?" 143
same "and leaves nothing" "$(ls "$TMPDIR")$(ls slow.o 2>/dev/null)" ""

# an error inside heddle: its own status, the file's name, no object
cp -r "$WORK/heddle" broken && echo nonsense >broken/lib/heddle/inline.bc
text=$(broken/bin/heddle cc -c link.c -o broken.o 2>&1)
same "an internal error ends in 70" "$?:$(ls broken.o 2>/dev/null)" "70:"
has "and names the file" "$text" 'link.c: the instrumenter failed'
printf '#!/bin/sh\nkill -SEGV $$\n' >broken/lib/heddle/instrument
broken/bin/heddle cc -c link.c -o broken.o 2>/dev/null
same "a crash of the instrumenter too" "$?" 70
rm broken/lib/heddle/instrument
text=$(broken/bin/heddle cc -c link.c -o broken.o 2>&1)
has "a missing part is named" "$text" 'instrument'
