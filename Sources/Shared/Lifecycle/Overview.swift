// Lifecycle: services that live as long as the program, stopping in reverse order, and deadlines.
//
// It leaves to its neighbours: what each service does with its time, and how a signal reaches the program (POSIX).
