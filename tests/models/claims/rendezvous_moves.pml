/* Both sides of a rendezvous move: the cycle of both is fair to the receiver, although it could always do something else.
 * SPIN does not count the receiver's side and finds no fair cycle here. */
// SPIN: no
// EXPECT other: violated acceptance-cycle
// EXPECT other --fair: violated acceptance-cycle
chan r = [0] of { byte };
bool done;
active proctype sender() { do :: r!1 od }
active proctype receiver() { do :: r?_ :: done = true od }
ltl other { <> done }
