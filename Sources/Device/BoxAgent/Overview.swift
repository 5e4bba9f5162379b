// BoxAgent: the daemon of the box. One AccessEnabler for each requestor, one pairing at a time for each, and an HTTP API on
// a Unix socket for the applications on the box, which are known by what the kernel says of them and need a permission.
//
// It leaves to its neighbours: signing in and tokens (AccessEnabler), the values and the wire of events (BoxEvents),
// connections (HTTPServer), and configuration, output and exit codes (latchkey).
