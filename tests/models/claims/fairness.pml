/* B waits for a flag that comes and goes: weak fairness does not help it, but it helps C, which can always move. */
// EXPECT c_moves: violated acceptance-cycle
// EXPECT c_moves --fair: holds
// EXPECT b_moves: violated acceptance-cycle
// EXPECT b_moves --fair: violated acceptance-cycle
// EXPECT blocked: holds
bool flag, b, c;
active proctype A() { do :: flag = !flag od }
active proctype B() { flag -> b = true }
active proctype C() { c = true }
active proctype D() { never_left: false }
ltl c_moves { <> c }
ltl b_moves { <> b }
ltl blocked { [] (D@never_left -> D@never_left) }
