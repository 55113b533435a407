/* A never claim that comes to its closing brace is violated there. */
// EXPECT never_0: violated claim-violated
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
never {
  do
  :: x == 2 -> break
  :: else
  od
}
