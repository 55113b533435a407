/* Sliding window (after Tanenbaum) between a sender and a receiver: at most W
 * frames are on their way. Up to LOSSES frames are damaged; the receiver asks for
 * them again, and the sender starts again there (go back n). */
#ifndef W
#define W 1
#endif
#ifndef FRAMES
#define FRAMES (W + 1)
#endif

#ifndef LOSSES
#define LOSSES 1
#endif

mtype = { data, ack, nack, done };
chan to_receiver = [20] of { mtype, byte };
chan to_sender = [20] of { mtype, byte };

active proctype sender()
{
    byte base, next, n;

    do
    :: next < base + W && next < FRAMES -> to_receiver!data(next); next++
    :: to_sender?ack(n) ->
        if
        :: n >= base && n < next -> base = n + 1
        :: else
        fi
    :: to_sender?nack(n) -> base = n; next = n
    :: base == FRAMES -> to_receiver!done(0); break
    od;
end:
    do
    :: to_sender?ack(n)
    :: to_sender?nack(n)
    od
}

active proctype receiver()
{
    byte expected, n, lost;

    do
    :: to_receiver?data(n) ->
        if
        :: lost < LOSSES && n == expected -> lost++; to_sender!nack(n)
        :: n == expected -> expected++; to_sender!ack(n)
        :: n != expected
        fi
    :: to_receiver?done(n) -> break
    od
}
