// POSIX: the few calls of the system that FoundationEssentials does not offer, or not durably: private files, locks,
// terminals, signals, clocks, threads, what a process may ask for itself, what the kernel knows of one that calls, the addresses of a
// host's name. No pointer leaves it; its importers write no
// `unsafe`. A descriptor that is opened here has one noncopyable owner, which closes it.
//
// It leaves to its neighbours: what stands in a file (latchkeyd, AccessEnabler), what a signal means (Lifecycle,
// latchkey), and sockets (HTTPServer).
