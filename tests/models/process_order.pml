byte live; proctype P() { live++; live-- } init { run P(); run P(); run P(); (live == 0) -> skip }
