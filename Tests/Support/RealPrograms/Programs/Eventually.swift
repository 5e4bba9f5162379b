package struct GaveUp: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Asks again and again until there is an answer, for what cannot be awaited because another program owns it.
///
/// Every `attempt` asks another program something, which is pause enough.
/// - Throws: ``GaveUp`` after `limit`, or what `attempt` throws.
package func eventually<Value: Sendable>(
    _ what: String, within limit: Duration = .seconds(120), _ attempt: () async throws -> Value?
) async throws -> Value {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < limit {
        if let value = try await attempt() { return value }
        await Task.yield()
    }
    throw GaveUp(description: "no \(what) within \(limit)")
}
