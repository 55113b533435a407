# Where reports will say that things happened: exact files, lines, columns.
mkdir -p inc
cat >inc/inline.h <<'C'
static inline int twice(int *p)
{
    return *p + *p;
}
C
cat >sites.c <<'C'
#include "inc/inline.h"
#include <stdlib.h>
#define BUMP(x) ((x)++)
int g;
int *p = &g;
struct pair { int a, b; } one, two;
struct big { long n[40]; } big1, big2;
static int by_value(struct big b) { return (int)b.n[3]; }
int main(void)
{
    g = 1;
    *p = g + 2;
    BUMP(g);
    g += twice(p);
    one = two;
    int *q = malloc(sizeof *q);
    *q =
        g;
    free(q);
#line 100 "other.y"
    g = 5;
#line 22 "sites.c"
    return by_value(big1) - (int)big2.n[0];
}
C
expected='write 4 sites.c:11:7 main
read 4 sites.c:12:10 main
read 8 sites.c:12:6 main
write 4 sites.c:12:8 main
read 4 sites.c:13:5 main
write 4 sites.c:13:5 main
read 8 sites.c:14:16 main
read 4 ./inc/inline.h:3:12 twice
read 4 ./inc/inline.h:3:17 twice
read 4 sites.c:14:7 main
write 4 sites.c:14:7 main
read-range 8 sites.c:15:11 main
write-range 8 sites.c:15:11 main
call malloc sites.c:16:14 main
read 4 sites.c:18:9 main
write 4 sites.c:17:8 main
call free sites.c:19:5 main
write 4 other.y:100:7 main
read-range 320 sites.c:22:12 main
read 8 sites.c:22:34 main'
for level in -O0 -O1 -O2 -O3 -Os; do
    same "exact places at $level" "$(recorded sites.c $level | grep -v '^module')" "$expected"
done
same "with a -g level of the user's" "$(recorded sites.c -O2 -gline-tables-only | grep -v '^module')" "$expected"
mkdir -p sub
same "the name that the user gave" "$(cd sub && $HCC ../sites.c -o s && HD_RECORD=1 ./s 2>&1 | grep ':11:')" "write 4 ../sites.c:11:7 main"
same "also an absolute one" "$($HCC "$PWD/sites.c" -o s && HD_RECORD=1 ./s 2>&1 | grep ':11:')" "write 4 $PWD/sites.c:11:7 main"
mkdir -p elsewhere
same "from another folder, as cmake does" \
    "$(cd elsewhere && $HCC "$PWD/../sites.c" -o s && HD_RECORD=1 ./s 2>&1 | grep ':11:')" "write 4 $PWD/elsewhere/../sites.c:11:7 main"
same "a header from another folder" \
    "$(cd elsewhere && $HCC "$WORK/sites/sites.c" -o s && HD_RECORD=1 ./s 2>&1 | grep ':3:12')" "read 4 $WORK/sites/inc/inline.h:3:12 twice"
has "the debugger finds the lines too" "$(gdb -batch -ex 'info line hd_user_main' ./s 2>&1)" 'Line 10 of ".*sites.c"'
