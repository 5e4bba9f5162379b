// A service for the tests of applications.
//
// An application that uses AccessEnabler is tested against a `FakeService`: it answers in memory what a server would
// answer over the network, and the test plays viewer, provider and operator. No socket, no file, no waiting.
//
// It leaves to its neighbours: the library under it is the real one, with its real rules. It is no server: nothing
// is signed, and nothing is checked that a box could do wrong on the wire.
