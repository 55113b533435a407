/* Token passing in a unidirectional ring (after Misra, 1983): the holder of the
 * token is in its critical section. Each process first does some work of its
 * own; the token goes round ROUNDS times and is then taken out by process 0. */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

mtype = { token, stop };
chan q[N] = [2] of { mtype, byte };

proctype station(byte me; chan inp, out)
{
    byte round;
    xr inp;
    xs out;
    bit working = 1;

    working = 0;
    if
    :: me == 0 -> out!token(0)
    :: else
    fi;
    do
    :: inp?token(round) ->
        if
        :: me == 0 && round == ROUNDS -> out!stop(0)
        :: me == 0 && round < ROUNDS -> out!token(round + 1)
        :: me != 0 -> out!token(round)
        fi
    :: inp?stop(_) ->
        if
        :: me == 0
        :: else -> out!stop(0)
        fi;
        break
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
