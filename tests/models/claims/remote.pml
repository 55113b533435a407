/* Labels and variables of processes, by their number or as the only one. Locals keep their values for the claim. */
// EXPECT exclusion: holds
// EXPECT enters: violated acceptance-cycle
// EXPECT enters --fair: holds
// EXPECT rounds: holds
// EXPECT three: violated claim-violated
bool flag[2];
byte turn;
active [2] proctype P() {
  byte n;
  do
  :: flag[_pid] = true; turn = 1 - _pid;
     !flag[1 - _pid] || turn == _pid;
     n = (n + 1) % 4;
critical: flag[_pid] = false
  od
}
active proctype watcher() { byte w; w = 3; w = 2; w = 1 }
ltl exclusion { [] !(P[0]@critical && P[1]@critical) }
ltl enters { [] <> P[0]@critical }
ltl rounds { [] (P[0]:n < 4) }
ltl three { [] (watcher:w != 3) }
