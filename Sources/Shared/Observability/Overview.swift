// Observability: log lines whose messages are constants and whose facts are metadata, counters over closed sets
// of labels, and the Prometheus text of both.
//
// It leaves to its neighbours: what is worth saying. It never sees a code, a token, a key or a raw path.
