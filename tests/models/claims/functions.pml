/* np_, enabled, pc_value and _last in formulae. */
// SPIN: no
// EXPECT no_progress: violated acceptance-cycle
// EXPECT no_progress --fair: violated acceptance-cycle
// EXPECT can: holds
// EXPECT where: holds
// EXPECT who: holds
bool go;
active proctype P() { idle: do :: go -> go = false; progress: skip od }
active proctype Q() { do :: !go -> go = true :: skip od }
ltl no_progress { ! <> [] np_ }
ltl can { [] ((P@idle && !go) -> !enabled(0)) }
ltl where { [] (P@idle -> pc_value(0) == pc_value(0)) }
ltl who { [] (_last == 0 || _last == 1) }
