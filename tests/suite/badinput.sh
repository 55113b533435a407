# What is said about bad input.
run 0 heddle suite counter.c -o suite
run 2 heddle suite counter.c
has "heddle suite PROGRAM -o DIR"
run 2 heddle suite counter.c -o suite --net=petri
has "--net: there is no 'petri'; there are: unfold, contextual, naive, traces"
run 2 heddle suite counter.c -o suite --method=luck
has "--method: there is no 'luck'"
run 2 heddle suite counter.c -o suite --cover=all
has "--cover: there is no 'all'"
run 2 heddle suite counter.c -o suite --memory=99999999
has "--memory expects a number from 0 to"
run 2 heddle suite counter.c -o counter.c
has "counter.c: exists and is not a folder"
run 2 heddle suite --update=nowhere
has "nowhere/suite.txt: cannot be read"
run 2 heddle suite counter.c -o
has "-o expects a value"
run 2 heddle replay --all=suite suite/test-0001.replay
has "--all runs a folder"
sed -i '/^end$/d' suite/suite.txt
run 2 heddle replay --all=suite
has "the manifest is damaged: it is cut off"
sed -i '3i nonsense 5' suite/suite.txt
run 2 heddle replay --all=suite
has "suite/suite.txt:3: the manifest is damaged: a line that begins with an unknown word"
