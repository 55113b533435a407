/* Flooding on a ring (after Tanenbaum): a source and N nodes. The source sends to
 * both of its neighbours; a node sends what it gets first on to its other
 * neighbour, which makes the spanning tree, and waits for word from there. Between
 * two of them the waves meet; the others wait in vain, and with -DENDS=1 that is
 * a proper end. (The paper's processes have no proper ends: there, too, each of
 * the places where the waves can meet is one blocked state of the graph.) */
#ifndef N
#define N 3
#endif
#define NEXT(i) (((i) + 1) % (N + 1))
#define BEFORE(i) (((i) + N) % (N + 1))

chan port[N + 1] = [4] of { byte };

proctype source()
{
    port[NEXT(0)]!0;
    port[BEFORE(0)]!0;
end:
    do
    :: port[0]?_
    od
}

proctype node(byte me)
{
    byte parent;
    bit heard;
    port[me]?parent;
    if
    :: parent == NEXT(me) -> port[BEFORE(me)]!me
    :: else -> port[NEXT(me)]!me
    fi;
#ifdef ENDS
end:
#endif
    port[me]?_;
    heard = 1
}

init {
    byte k;
    atomic {
        run source();
        k = 1;
        do
        :: k <= N -> run node(k); k++
        :: else -> break
        od
    }
}
