/* A claim does not see what is inside atomic and d_step, unless the sequence blocks there. */
// EXPECT inside: holds
// EXPECT inside_d_step: holds
// EXPECT blocked: violated claim-violated
byte x, y, z;
active proctype P() {
  do
  :: atomic { x = 1; x = 0 }
  :: d_step { y = 1; y = 0 }
  :: atomic { z = 1; x == 2; z = 0 }
  od
}
ltl inside { [] (x != 1) }
ltl inside_d_step { [] (y != 1) }
ltl blocked { [] (z != 1) }
