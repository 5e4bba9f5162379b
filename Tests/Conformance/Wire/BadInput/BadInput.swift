import Testing

/// What no honest client sends, over HTTP, against a server of the suite's own.
@Suite("Bad input", .service, .needsOwnService, .timeLimit(.minutes(10)))
enum BadInput {}
