// HTTPServer: listener, limits, request parsing, routing, immediate and held responses, over libmicrohttpd. The
// only importer of CMicrohttpd.
//
// It knows nothing of pairing. ServerAPI decides which routes exist, which callers they admit and what they answer.
//
// How a request goes: `Acceptor` takes the connection and gives it to a `Daemon`, a libmicrohttpd thread. Its callbacks
// feed one `Exchange` a request. The `Router` finds the handler, whose reply is sent at once, or suspends the
// connection (`Suspension`), or is held in the `ParkingLot`, outside libmicrohttpd.
