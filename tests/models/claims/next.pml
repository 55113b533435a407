/* The next state is the one after the next step; the last state of an execution is followed by itself. */
// SPIN: no
// EXPECT steps: holds
// EXPECT too_early: violated
// EXPECT at_the_end: holds
byte x;
active proctype P() { x = 1; x = 2 }
ltl steps { (x == 0) && X (x == 1) && X X (x == 2) }
ltl too_early { X (x == 2) }
ltl at_the_end { [] ((x == 2) -> X (x == 2)) }
