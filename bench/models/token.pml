/* Token passing in a unidirectional ring (Misra, 1983): whoever has the ping is in
 * its critical section. A second token, the pong, follows it, so that the loss
 * of either is noticed: a station that sees the same token twice, with the same
 * value and without the other in between, makes the other anew. Where both
 * meet (here: at station 0, which waits for the pong) their values are counted
 * on, modulo something larger than the number of stations. */
#ifndef N
#define N 3
#endif
#define M (N + 3)

mtype = { ping, pong };
chan q[N] = [4] of { mtype, short };

inline see_ping()
{
    if
    :: seen == ping_value -> out!pong(-ping_value)
    :: else -> seen = ping_value
    fi
}

inline see_pong()
{
    if
    :: seen == pong_value -> out!ping(-pong_value)
    :: else -> seen = pong_value
    fi
}

proctype station(byte me; chan inp, out)
{
    short seen, ping_value, pong_value;
    xr inp;
    xs out;

    if
    :: me == 0 -> seen = -1; out!ping(1); out!pong(-1)
    :: else
    fi;
    do
    :: inp?ping(ping_value) ->
        see_ping();
        if
        :: me == 0 ->
            inp?pong(pong_value);
            see_pong();
            ping_value = ping_value % M + 1;
            seen = -ping_value;
            out!ping(ping_value);
            out!pong(-ping_value)
        :: else -> out!ping(ping_value)
        fi;
        ping_value = 0;
        pong_value = 0
    :: inp?pong(pong_value) ->
        see_pong();
        out!pong(pong_value);
        pong_value = 0
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N ->
            run station(i, q[i], q[(i + 1) % N]);
            i++
        :: i == N -> break
        od
    }
}
