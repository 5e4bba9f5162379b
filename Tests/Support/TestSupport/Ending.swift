/// Runs `body`, and `end` after it on every path.
@discardableResult
package func ending<Ending, Result>(
    _ end: () async -> Ending, _ body: () async throws -> Result
) async throws -> Result {
    let result: Result
    do {
        result = try await body()
    } catch {
        _ = await end()
        throw error
    }
    _ = await end()
    return result
}
