/// Lends programs to `body` and stops them in the end, whatever came of it, the last first.
func stopping<Value>(
    _ programs: [() async -> Void], after body: () async throws -> Value
) async throws -> Value {
    let outcome: Result<Value, any Error>
    do {
        outcome = .success(try await body())
    } catch {
        outcome = .failure(error)
    }
    for stop in programs.reversed() { await stop() }
    return try outcome.get()
}
