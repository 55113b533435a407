/* timeout is true where nothing else can move; else where no other option can. */
// EXPECT restarted: violated acceptance-cycle
// EXPECT after_two: holds
// EXPECT wait: violated claim-violated
byte x;
active proctype P() {
  do
  :: x < 2 -> x++
  :: timeout -> x = 3; break
  od
}
active proctype Q() { if :: x == 1 -> x = 2 :: else -> skip fi; x == 3 }
ltl restarted { [] <> (x == 0) }
ltl after_two { <> (x == 3) }
never wait {
  do
  :: timeout && x == 2 -> break
  :: else
  od
}
