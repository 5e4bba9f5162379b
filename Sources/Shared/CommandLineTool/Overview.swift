// CommandLineTool: options and operands, help texts, exit codes, the abilities of a terminal, words on lines of so many
// cells, and the configuration files of both programs. JSON5 gives any value of a text, its place, and the place where a
// text is broken. Settings are told once, with default, form and purpose: the faults, the commented file and the manual
// page come from that.
//
// It leaves to its neighbours: the commands and settings themselves, the environment, which only a program reads (latchkeyd,
// latchkey), and the calls behind a terminal (POSIX).
