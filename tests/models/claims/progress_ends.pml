/* An execution that ends is no cycle without progress. */
// EXPECT progress: holds
// EXPECT progress --fair: holds
byte x;
active proctype P() { x = 1; x == 2 }
