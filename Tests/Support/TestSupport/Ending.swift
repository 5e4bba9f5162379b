/// Runs `body`, and `end` after it on every path; after an error `abort` in its place, where there is one.
@discardableResult
package func ending<Ending, Result>(
    _ end: () async -> Ending, orOnError abort: (() async -> Void)? = nil, _ body: () async throws -> Result
) async throws -> Result {
    let result: Result
    do {
        result = try await body()
    } catch {
        if let abort { await abort() } else { _ = await end() }
        throw error
    }
    _ = await end()
    return result
}
