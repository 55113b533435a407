/* A cycle through an accept label, which is unfair to Q: Q could stop it. */
// EXPECT acceptance: violated acceptance-cycle
// EXPECT acceptance --fair: holds
bool stop;
active proctype P() {
  do
  :: !stop -> accept: skip
  :: stop -> break
  od
}
active proctype Q() { stop = true }
