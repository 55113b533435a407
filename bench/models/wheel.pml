/* Flooding on a wheel (after Tanenbaum): node 0 is the hub, nodes 1 … N - 1 the
 * rim. The hub sends to everybody; a node sends what it gets first on to its two
 * neighbours on the rim and to the hub, but not back, and knows its parent in the
 * tree from then on. Everybody ends when every neighbour has sent once. */
#ifndef N
#define N 4
#endif
#define R (N - 1)
#define NEXT(i) (1 + (i) % R)
#define BEFORE(i) (1 + ((i) + R - 2) % R)

chan port[N] = [N] of { byte };

proctype hub()
{
    byte i;
    i = 1;
    do
    :: i < N -> port[i]!0; i++
    :: i == N -> break
    od;
    i = 1;
    do
    :: i < N -> port[0]?_; i++
    :: i == N -> break
    od
}

proctype rim(byte me)
{
    byte parent;
    port[me]?parent;
    port[0]!me;
    if
    :: parent != NEXT(me) -> port[NEXT(me)]!me
    :: else
    fi;
    if
    :: parent != BEFORE(me) && NEXT(me) != BEFORE(me) -> port[BEFORE(me)]!me
    :: else
    fi;
end:
    do
    :: port[me]?_
    od
}

init {
    byte k;
    atomic {
        run hub();
        k = 1;
        do
        :: k < N -> run rim(k); k++
        :: k == N -> break
        od
    }
}
