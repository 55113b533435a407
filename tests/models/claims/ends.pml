/* The last state of an execution that ends is repeated forever. */
// EXPECT finally: holds
// EXPECT for_ever: holds
// EXPECT again: violated acceptance-cycle
// EXPECT again --fair: violated acceptance-cycle
// EXPECT deadlocked: holds
byte x;
active proctype P() { x = 1; x = 2; stuck: x == 3 }
ltl finally { <> (x == 2) }
ltl for_ever { <> [] (x == 2) }
ltl again { [] <> (x == 1) }
ltl deadlocked { <> [] P@stuck || <> [] (x == 2) }
active proctype Q() { skip }
