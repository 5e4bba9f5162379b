// BoxEvents: what the box tells programs, one event a line, versioned: the values, and the way they are written and read.
//
// The command line with --json, the agent's stream of events and the JSON Schema in deploy/contracts/events.schema.json say
// the same. It leaves to its neighbours: when something happens (AccessEnabler, latchkey), and where the lines go.
