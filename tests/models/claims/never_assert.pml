/* Assertions in a claim, and an atomic sequence of it, which reads one state. */
// EXPECT never_0: violated assertion
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }
never {
  do
  :: atomic { x == 3 -> assert(x != 3) }
  :: else
  od
}
