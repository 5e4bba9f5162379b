// CommandLineTool: reading options and operands, help texts, exit codes, and what a terminal can do, for both
// programs.
//
// It leaves to its neighbours: the commands themselves, the environment, which only a program reads (latchkeyd,
// latchkey), and the calls behind a terminal (POSIX).
