// HTTPClient: one transfer, bounded in size and time, and cancellable, over libcurl. The only importer of CCurl.
//
// Every client has one thread of its own that runs libcurl's multi interface; callers suspend and the cooperative pool
// never blocks. libcurl is told everything: it takes no proxy, certificate or credential from the environment.
//
// It leaves to its neighbours: signing requests (Clientless), retries and waiting (AccessEnabler).
