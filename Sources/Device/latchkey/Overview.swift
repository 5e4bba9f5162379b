// latchkey: the box program. Command line, wiring, main.
//
// The only place of the box that reads the environment and its configuration.
