import Testing

/// What the protocol document prints with literal values, played against the service.
@Suite("Published vectors", .service, .timeLimit(.minutes(10)))
enum PublishedVectors {}
