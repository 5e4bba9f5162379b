// CommandLineTool: reading options and operands, help texts, exit codes and colours of a terminal, for both
// programs.
//
// It leaves to its neighbours: the commands themselves (latchkeyd, latchkey).
