/* The claim waits for a request, then forever for its answer, which may be lost. */
// EXPECT lost: violated acceptance-cycle
// EXPECT lost --fair: violated acceptance-cycle
mtype = { request, answer };
chan wire = [1] of { mtype };
bool asked;
active proctype client() {
  do
  :: wire!request; asked = true; wire?answer; asked = false
  od
}
active proctype server() {
  do
  :: wire?request -> if :: wire!answer :: skip fi
  od
}
never lost {
  do
  :: asked -> goto accept
  :: true
  od;
accept:
  do
  :: asked
  od
}
