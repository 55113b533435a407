/* Messages of one sender may overtake each other only in a bag. */
// EXPECT ordered: holds
// EXPECT ordered --scheme=fifo: holds
// EXPECT ordered --scheme=async: violated claim-violated
// EXPECT ordered --jobs=2: holds
chan q = [3] of { byte };
byte last;
active proctype P() { q!1; q!2 }
active proctype R() { q?last; q?_ }
ltl ordered { [] (last != 2) }
