byte x; chan q=[1] of {byte};
active proctype A() { atomic { x = 1; q?x; x = 7; x == 9; x = 10 } x = 11 }
active proctype B() { atomic { q!5; x++ } x = 8; x = 9 }
