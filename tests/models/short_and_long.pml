/* The deadlock is three steps away, and also behind up to twenty rounds. */
chan a = [2] of { byte };
chan b = [2] of { byte };
active proctype A() {
  byte n;
  do
  :: a!2; b?3
  :: n < 20 -> n++; a!1; b?1
  od
}
active proctype B() {
  do
  :: a?2 -> b!2
  :: a?1 -> b!1
  od
}
