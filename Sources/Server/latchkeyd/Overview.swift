// latchkeyd: the server program. Configuration, keys on disk, wiring, the keeper of logos, and the commands
// of an operator.
//
// The only place of the server that reads the environment and configuration files.
