/* Mutual exclusion on a complete network (Ricart and Agrawala, 1981). Every
 * process wants the critical section once, with its own number as its ticket;
 * requests and replies come in at one port. A process that waits puts off those
 * who come behind it. */
#ifndef N
#define N 2
#endif

mtype = { request, reply };
chan port[N] = [2 * N] of { mtype, byte };

proctype site(byte me)
{
    byte i, j, replies, requests;
    bit late[N];

    i = 0;
    do
    :: i < N && i != me -> port[i]!request(me); i++
    :: i == me -> i++
    :: i == N -> break
    od;
    do
    :: replies < N - 1 ->
        if
        :: port[me]?request(j) ->
            requests++;
            if
            :: j < me -> port[j]!reply(me)
            :: else -> late[j] = 1
            fi
        :: port[me]?reply(_) -> replies++
        fi
    :: else -> break
    od;
    /* the critical section */
    i = 0;
    do
    :: i < N && late[i] -> late[i] = 0; port[i]!reply(me); i++
    :: i < N && !late[i] -> i++
    :: i == N -> break
    od;
    do
    :: requests < N - 1 -> port[me]?request(j); requests++; port[j]!reply(me)
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        do
        :: k < N -> run site(k); k++
        :: k == N -> break
        od
    }
}
