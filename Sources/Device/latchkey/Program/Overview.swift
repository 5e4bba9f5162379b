// latchkey: the box program. Command line, configuration, screen, and main; in BoxAgent the daemon, with one AccessEnabler and
// one pairing at a time for each requestor and an HTTP API on a Unix socket; in BoxEvents what programs are told, one event a
// line; in BoxWords what viewers are told, in every language.
//
// The only place of the box that reads the environment, its configuration and the facts of the machine. It leaves to
// its neighbours: pairing itself (AccessEnabler), drawing the code (TerminalQR).
