/* Two processes broadcast in one step each: the receivers see both broadcasts in the
 * same order. Were the steps interleaved, they could differ. */
chan p[2] = [2] of { byte };
byte seen[2];

proctype sender(byte me)
{
    byte i;
    atomic {
        do
        :: i < 2 ->
            p[i]!me;
            i++
        :: else -> break
        od
    }
}

proctype receiver(byte me)
{
    byte first, second;
    p[me]?first;
    p[me]?second;
    atomic {
        seen[me] = first;
        (seen[0] != 0 && seen[1] != 0) -> assert(seen[0] == seen[1])
    }
}

init {
    atomic {
        run sender(1);
        run sender(2);
        run receiver(0);
        run receiver(1)
    }
}
