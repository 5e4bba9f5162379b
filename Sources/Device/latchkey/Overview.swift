// latchkey: the box program. Command line, configuration, screen, and main.
//
// The only place of the box that reads the environment, its configuration and the facts of the machine. It leaves to
// its neighbours: pairing itself (AccessEnabler), drawing the code (TerminalQR).
