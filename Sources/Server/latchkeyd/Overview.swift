// latchkeyd: the server program. Configuration, keys on disk, wiring, the keepers of logos and of places, and the commands
// of an operator.
//
// The only place of the server that reads the environment and configuration files.
