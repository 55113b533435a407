/* Leader election in a unidirectional ring (Dolev, Klawe and Rodeh, 1982),
 * written like the leader0 example that comes with SPIN, without its printf
 * statements. -DN=… processes; the smallest number is at node I. With -DCHECKS
 * the assertions of the example are on (and its global count of leaders). */
#ifndef N
#define N 3
#endif
#define I 3
#ifndef L
#define L 16
#endif

mtype = { one, two, winner };
chan q[N] = [L] of { mtype, byte };
#ifdef CHECKS
byte nr_leaders = 0;
#endif

proctype node(chan inp, out; byte mynumber)
{
    bit Active = 1, know_winner = 0;
    byte nr, maximum = mynumber, neighbourR;

    xr inp;
    xs out;

    out!one(mynumber);
end:
    do
    :: inp?one(nr) ->
        if
        :: Active ->
            if
            :: nr != maximum ->
                out!two(nr);
                neighbourR = nr
            :: else ->
#ifdef CHECKS
                assert(nr == N);
#endif
                know_winner = 1;
                out!winner, nr
            fi
        :: else -> out!one(nr)
        fi
    :: inp?two(nr) ->
        if
        :: Active ->
            if
            :: neighbourR > nr && neighbourR > maximum ->
                maximum = neighbourR;
                out!one(neighbourR)
            :: else -> Active = 0
            fi
        :: else -> out!two(nr)
        fi
    :: inp?winner, nr ->
        if
        :: nr != mynumber -> skip
        :: else ->
#ifdef CHECKS
            nr_leaders++;
            assert(nr_leaders == 1)
#else
            skip
#endif
        fi;
        if
        :: know_winner
        :: else -> out!winner, nr
        fi;
        break
    od
}

init {
    byte proc;
    atomic {
        proc = 1;
        do
        :: proc <= N ->
            run node(q[proc - 1], q[proc % N], (N + I - proc) % N + 1);
            proc++
        :: proc > N -> break
        od
    }
}
