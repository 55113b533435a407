/* Readers and writers with concurrent reading: a server that N - 1 readers and
 * one writer ask to start and tell when they have finished, once each. */
#ifndef N
#define N 3
#endif

mtype = { start, finish };
chan reads = [2 * N] of { mtype, byte };
chan writes = [2 * N] of { mtype, byte };
chan go[N] = [1] of { byte };

proctype reader(byte me)
{
    reads!start(me);
    go[me]?_;
    reads!finish(me)
}

proctype writer(byte me)
{
    writes!start(me);
    go[me]?_;
    writes!finish(me)
}

proctype server()
{
    byte reading, who, left;
    left = N;
    do
    :: left > 0 ->
        if
        :: reads?start(who) -> reading++; go[who]!1
        :: reads?finish(who) -> reading--; left--
        :: reading == 0 ->
            writes?start(who);
            go[who]!1;
            writes?finish(who);
            left--;
            break
        fi
    :: else -> break
    od;
    do
    :: left > 0 ->
        if
        :: reads?start(who) -> reading++; go[who]!1
        :: reads?finish(who) -> reading--; left--
        fi
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        run server();
        k = 0;
        do
        :: k < N - 1 -> run reader(k); k++
        :: k == N - 1 -> break
        od;
        run writer(N - 1)
    }
}
