proctype P(chan back) { chan mine = [1] of { byte }; byte v; back!mine; mine?v; assert(v == 9) } init { chan home = [1] of { chan }; chan c; run P(home); home?c; c!9 }
