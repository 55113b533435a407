/* Every operator, in both spellings: a counter goes 0 1 2 0 …, or stops at 2. */
// EXPECT reaches: holds
// EXPECT returns: violated acceptance-cycle
// EXPECT bounded: holds
// EXPECT until2: holds
// EXPECT strong: violated
// EXPECT weak: holds
// EXPECT released: holds
// EXPECT either: violated
// EXPECT equivalent_forms: holds
// EXPECT words: holds
// EXPECT small: violated claim-violated
byte x;
#define two (x == 2)
active proctype counter() {
  do
  :: x < 2 -> x++
  :: two -> x = 0
  :: two -> break
  od
}
ltl reaches { <> two }
ltl returns { [] <> (x == 0) }
ltl bounded { [] (x <= 2) }
ltl until2 { (x < 2) U two }
ltl strong { [] ((x == 1) -> ((x == 1) U (x == 0))) }
ltl weak { [] ((x == 0) -> ((x == 0) W (x == 1))) }
ltl released { (x == 2) V (x <= 2) }
ltl either { ([] <> (x == 1)) && (! <> [] two || [] (x < 3)) }
ltl equivalent_forms { (! [] (x < 2)) <-> (<> (x >= 2)) }
ltl words { always ((x == 2) implies ((x == 2) weakuntil (x == 0))) && eventually two && (x < 2) until two }
ltl small { [] (x < 2) }
