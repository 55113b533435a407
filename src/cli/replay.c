int hd_verb_replay(int argc, char **argv); int hd_verb_replay(int argc, char **argv) { (void)argc; (void)argv; return 2; }
