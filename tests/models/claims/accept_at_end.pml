/* P ends at an accept label that it never leaves: its last state repeats. */
// EXPECT acceptance: violated acceptance-cycle
// EXPECT acceptance --fair: violated acceptance-cycle
byte x;
active proctype P() { x = 1; accept: false }
