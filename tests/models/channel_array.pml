chan q[3] = [1] of { byte }; proctype N(byte i) { byte v; q[i]?v; if :: i < 2 -> q[i+1]!v+1 :: else -> assert(v == 7) fi } init { atomic { run N(0); run N(1); run N(2) } q[0]!5 }
