/* Sliding window (after Tanenbaum), in both directions between two peers: each
 * has FRAMES packets to send, of which at most W are on their way without having
 * been acknowledged, and acknowledges those of the other. A frame that comes
 * before its turn is kept until the packets before it have been delivered. Local
 * steps are as fine as those of the paper's machines are taken to be: they add to
 * the full graph, and a reduction gets over them. */
#ifndef W
#define W 1
#endif
#ifndef FRAMES
#define FRAMES (W + 1)
#endif

mtype = { data, ack };
chan port[2] = [2 * FRAMES] of { mtype, byte };

active [2] proctype peer()
{
    byte next, under_way, n, expected, packet;
    bit arrived[FRAMES];

    do
    :: under_way < W && next < FRAMES ->
        packet = next; /* from the network layer */
        next++;
        under_way++;
        port[1 - _pid]!data(packet);
        packet = 0
    :: port[_pid]?ack(n) -> under_way--
    :: port[_pid]?data(n) ->
        arrived[n] = 1;
        do
        :: expected < FRAMES && arrived[expected] ->
            packet = expected; /* to the network layer */
            arrived[packet] = 0;
            expected++
        :: else -> break
        od;
        packet = 0;
        port[1 - _pid]!ack(n)
    :: next == FRAMES && under_way == 0 && expected == FRAMES -> break
    od
}
