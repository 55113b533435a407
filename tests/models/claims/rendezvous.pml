/* A rendezvous is one step. Its receiver cannot start it, so fairness to the receiver does not force the sender. */
// EXPECT together: holds
// EXPECT met: violated acceptance-cycle
// EXPECT met --fair: violated acceptance-cycle
chan r = [0] of { byte };
byte got;
bool spare;
active proctype sender() { do :: r!1 :: spare = !spare od }
active proctype receiver() { do :: r?got od }
ltl together { [] (got < 2) }
ltl met { <> (got == 1) }
