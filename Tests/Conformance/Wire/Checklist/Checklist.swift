import Testing

/// Appendix D of rest-v1, item by item, in the words of a client: nothing here knows how the server is made.
@Suite("The conformance checklist", .service, .timeLimit(.minutes(10)))
enum Checklist {}
