# The options that gcc and clang share, one by one.
cat >main.c <<'C'
#include <stdio.h>
int helper(void);
#ifndef WORD
#define WORD "none"
#endif
int main(void) { printf("%s %d\n", WORD, helper()); return 0; }
C
cat >helper.c <<'C'
#ifdef INCLUDED
#include "value.h"
#else
#define VALUE 1
#endif
int helper(void) { return VALUE; }
C
mkdir -p inc lib
echo '#define VALUE 7' >inc/value.h

check "two sources" $HCC main.c helper.c -o prog
same "two sources run" "$(./prog)" "none 1"
check "default output" $HCC main.c helper.c
same "a.out" "$(./a.out)" "none 1"
check "-c without -o" $HCC -c main.c helper.c
check "objects were made" test -s main.o -a -s helper.o
check "link of objects" $HCC main.o helper.o -o prog2
same "link of objects runs" "$(./prog2)" "none 1"
check "-D joined, -I joined" $HCC -DINCLUDED '-DWORD="joined"' -Iinc main.c helper.c -o prog
same "-D -I" "$(./prog)" "joined 7"
check "-D separate, -I separate, -o joined" $HCC -D INCLUDED -D 'WORD="apart"' -I inc main.c helper.c -oprog
same "-D -I separate" "$(./prog)" "apart 7"
check "-U" $HCC '-DWORD="x"' -UWORD main.c helper.c -o prog
same "-U" "$(./prog)" "none 1"
check "-include" $HCC -DINCLUDED -include inc/value.h -iquote inc '-DWORD="i"' main.c helper.c -o prog
same "-include" "$(./prog)" "i 7"

for level in "" -O -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast; do
    $HCC -Wno-deprecated $level main.c helper.c -o prog && same "level '$level'" "$(./prog)" "none 1"
done
macros='int optimised =
#ifdef __OPTIMIZE__
1
#else
0
#endif
; int size =
#ifdef __OPTIMIZE_SIZE__
1
#else
0
#endif
; int heddle =
#ifdef HEDDLE
1;
#else
0;
#endif
#include <stdio.h>
int main(void) { printf("%d%d%d\n", optimised, size, heddle); }'
echo "$macros" >macros.c
for pair in -O0:001 -O2:101 -Os:111 -Og:101; do
    $HCC ${pair%:*} macros.c -o macros && same "what the source is told at ${pair%:*}" "$(./macros)" "${pair#*:}"
done
check "-std" $HCC -std=c99 -pedantic -Wall -Werror -c main.c -o std.o
check "the last -std counts" bash -c "! $HCC -Werror -pedantic -std=c17 -std=c89 -c -x c - -o no.o <<<'// c99'"
check "-pthread -m64 -fno-strict-aliasing -fstack-protector-strong" \
    $HCC -pthread -m64 -fno-strict-aliasing -fstack-protector-strong -fvisibility=hidden main.c helper.c -o prog
same "flags" "$(./prog)" "none 1"
for g in -g -g1 -g3 -ggdb -gdwarf-4 -g0 -gsplit-dwarf; do
    $HCC $g -c main.c -o g.o && has "$g keeps the lines" "$(llvm-dwarfdump-$LLVM --debug-line g.o 2>&1)" 'main\.c'
done
check "-fPIC -fPIE -fpie -fno-pic" $HCC -fPIC -c helper.c -o h1.o
check "no-pie link" $HCC -fno-pic -no-pie main.c helper.c -o nopie
same "no-pie runs" "$(./nopie)" "none 1"
has "no-pie is one" "$(readelf -h nopie)" 'EXEC'
check "pie link" $HCC -fPIE -pie main.c helper.c -o pie
has "pie is one" "$(readelf -h pie)" 'DYN'
same "pie runs" "$(./pie)" "none 1"
$HCC -ffunction-sections -c helper.c -o fs.o && has "-ffunction-sections" "$(readelf -SW fs.o)" '\.text\.helper'
check "--gc-sections" $HCC -ffunction-sections -fdata-sections -Wl,--gc-sections main.c helper.c -o gc
same "--gc-sections runs" "$(./gc)" "none 1"

has "-E" "$($HCC -E main.c | tail -n 3)" 'printf\("%s %d'
has "-E knows HEDDLE" "$($HCC -E -dM -x c /dev/null)" 'define HEDDLE 1'
$HCC -S helper.c -o helper.s && has "-S makes assembly" "$(cat helper.s)" '^helper:'
check "-S by default beside" bash -c "rm -f helper.s; $HCC -S helper.c && test -s helper.s"
has "-S to standard output" "$($HCC -S -o - helper.c)" '^helper:'
$HCC -S -emit-llvm -o helper.ll helper.c && has "-S -emit-llvm" "$(cat helper.ll)" 'define .*@helper'
check "-c -emit-llvm" $HCC -c -emit-llvm helper.c
check "it is bitcode" llvm-dis-$LLVM -o /dev/null helper.bc
check "-fsyntax-only" $HCC -fsyntax-only main.c
check "-x c on another name" bash -c "cp helper.c helper.txt; $HCC -x c -c helper.txt -o txt.o"
check "-x none again" $HCC -x c helper.txt -x none main.o -o prog
same "-x none runs" "$(./prog)" "none 1"
check "standard input" bash -c "$HCC -x c - -x none helper.o -o prog <main.c"
same "standard input runs" "$(./prog)" "none 1"
check "standard input to an object" bash -c "$HCC -c -x c -o stdin.o - <main.c && $HCC stdin.o helper.o -o prog"
check ".i files" bash -c "$HCC -E helper.c -o pre.i && $HCC -c pre.i -o pre.o && $HCC main.o pre.o -o prog"
same ".i runs" "$(./prog)" "none 1"
printf '.globl helper\nhelper:\n mov $5, %%eax\n ret\n.section .note.GNU-stack,"",@progbits\n' >as.s
printf '#define N 6\n.globl helper\nhelper:\n mov $N, %%eax\n ret\n.section .note.GNU-stack,"",@progbits\n' >cpp.S
check ".s" $HCC main.c as.s -o prog
same ".s runs" "$(./prog)" "none 5"
check ".S" bash -c "$HCC -c cpp.S && $HCC main.o cpp.o -o prog"
same ".S runs" "$(./prog)" "none 6"
check "precompiled header" bash -c "$HCC -x c-header inc/value.h -o inc/value.h.pch && $HCC -include inc/value.h -c helper.c -o pch.o"

check "archives, -l and -L" bash -c "ar rcs lib/libhelper.a helper.o && $HCC main.c -Llib -lhelper -o prog"
same "-l runs" "$(./prog)" "none 1"
check "-l before -L, separate" $HCC main.c -l helper -L lib -o prog
check "an archive by name" $HCC main.o lib/libhelper.a -o prog
check "-Wl and -Xlinker" $HCC main.o helper.o -Wl,-Map=map.txt -Xlinker --build-id=none -o prog
check "the map was written" test -s map.txt
check "-static-libgcc" $HCC -static-libgcc main.o helper.o -o prog
has "-static is ignored with a warning" "$($HCC -static main.o helper.o -o prog 2>&1)" 'warning: -static is ignored'
same "-static runs" "$(./prog)" "none 1"
has "-fsanitize=thread likewise" "$($HCC -fsanitize=thread main.c helper.c -o prog 2>&1)" 'warning: -fsanitize=thread is ignored'
check "-fsanitize=undefined works" bash -c "echo 'int main(int c, char **v) { (void)v; return (c << 31) == 0; }' >u.c;
    $HCC -fsanitize=undefined u.c -o u && ./u 2>&1 | grep -q 'runtime error'"
check "-shared" $HCC -shared -fPIC -Wl,-z,defs helper.c -o libshared.so
check "a program with it" $HCC main.c ./libshared.so -o prog
same "-shared runs" "$(./prog)" "none 1"
check "-r" bash -c "$HCC -r main.o helper.o -o both.o && $HCC both.o -o prog"
same "-r runs" "$(./prog)" "none 1"
check "-flto is not needed" $HCC -flto -O2 main.c helper.c -o prog
same "-flto runs" "$(./prog)" "none 1"
check "-fcommon" bash -c "echo 'int shared;' >c1.c; echo 'int shared; int main(void) { return shared; }' >c2.c; $HCC -fcommon c1.c c2.c -o common && ./common"
check "-fno-common is the default" bash -c "! $HCC c1.c c2.c -o common"
check "gcc's own options" $HCC -O2 -fno-tree-vectorize -fno-ipa-cp -fgcse-after-reload --param max-inline-insns-single=5 \
    -fno-var-tracking-assignments -fanalyzer -fdiagnostics-urls=never -Werror main.c helper.c -o prog
has "an option nobody knows" "$($HCC -fno-such-option -c main.c 2>&1)" "unknown argument: '-fno-such-option'"
check "-- ends the options" $HCC -o prog -- main.c helper.c

printf '%s\n' '-DWORD=\"from\ a\ file\"' "helper.c -o" "'prog'" >args
printf '%s\n' "@args" main.c >outer
check "a response file in a response file" $HCC @outer
same "response files run" "$(./prog)" "from a file 1"
has "a missing response file" "$($HCC @nothing 2>&1)" "'@nothing'"

for query in --version -dumpmachine -dumpversion -print-search-dirs -print-file-name=libc.so -print-prog-name=ld; do
    same "$query is clang's" "$($HCC $query 2>&1)" "$(clang-$LLVM $query 2>&1)"
done
has "-###" "$($HCC '-###' -c main.c 2>&1)" '"-cc1"'
has "-v without inputs" "$($HCC -v 2>&1)" 'clang version'
has "-v shows the steps" "$($HCC -v -c main.c -o v.o 2>&1)" 'instrument -O0'
has "no inputs" "$($HCC 2>&1)" 'no input files'
has "a missing value" "$($HCC -c main.c -o 2>&1)" "argument to '-o' is missing"

clang-$LLVM -c '-DWORD="plain"' main.c -o plain.o
same "HEDDLE_DISABLE=1 makes clang's object" \
    "$(HEDDLE_DISABLE=1 $HCC -c '-DWORD="plain"' main.c -o disabled.o && md5sum <disabled.o)" "$(md5sum <plain.o)"
echo '#include <heddle.h>
int main(void) { heddle_assume(1); return (int)heddle_choose(3); }' >uses.c
check "heddle.h without heddle" bash -c "HEDDLE_DISABLE=1 $HCC uses.c -o uses && ./uses"

# Programs that gcc 12 compiles with warnings. clang makes errors of them.
cat >old.c <<'C'
static int twice(x) { return 2 * x; }
f() { return; }
static int number(int *p) { long n = p; return n ? *p : 0; }
int main() { int (*of)(char *) = number, three = 3; f(); puts("old"); return twice(of((char *)&three)) != 6; }
C
check "old C" $HCC -w old.c -o old
same "old C runs" "$(./old)" "old"
has "old C gets warnings" "$($HCC -c old.c 2>&1)" "warning: .*implicit"
check "-Wno-error" $HCC -Werror -Wno-error -c old.c
check "-Werror refuses old C" eval '! $HCC -Werror -c old.c'
check "-Werror=implicit-int" eval '! $HCC -Werror=implicit-int -c old.c'

cat >unusual.c <<'C'
#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
int main(int argc, char *argv)
{
    int volatile times = 0;
    if (!setjmp(place)) {
        times++;
        longjmp(place, 1);
    }
    printf("%s %d %d %d\n", __func__, argc, times, __STDC_HOSTED__);
    if (argc > 1)
        return 3;
}
C
for level in -O0 -O2; do
    check "main(int, char *) $level" $HCC -w $level unusual.c -o unusual
    same "main(int, char *) $level runs" "$(./unusual) $?" "main 1 1 1 0"
done
has "main(int, char *) gets a warning" "$($HCC -c unusual.c 2>&1)" 'warning: unusual.c: main should be'

for words in "--help" "-O2 --help" "--help -c main.c"; do
    has "heddle's own help: $words" "$($HCC $words)" '^usage: heddle cc'
done
ln -sf heddle "$WORK/heddle/bin/heddle-cc"
has "heddle-cc --help" "$(heddle-cc -g --help)" '^usage: heddle cc'

has "-ftime-report: the steps" "$($HCC -ftime-report -O2 -c main.c 2>&1)" '^main.c: machine code +[0-9.]+ s$'
has "-ftime-report: passes of LLVM" "$($HCC -ftime-report -O2 -c main.c 2>&1)" 'InstCombinePass'
has "-ftime-report: passes of the back end" "$($HCC -ftime-report -O2 -c main.c 2>&1)" 'Greedy Register Allocator'
