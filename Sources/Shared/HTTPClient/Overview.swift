// HTTPClient: one transfer, bounded in size and time, and cancellable, over libcurl. The only importer of CCurl.
//
// It leaves to its neighbours: signing requests (Clientless), retries and waiting (AccessEnabler).
