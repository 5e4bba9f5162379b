/// The error that `body` throws; `nil` if it throws none.
package func thrown<Failure: Error>(_ body: () throws(Failure) -> some Any) -> Failure? {
    do throws(Failure) { _ = try body() } catch { return error }
    return nil
}

/// The error that `body` throws; `nil` if it throws none.
package func thrown<Failure: Error>(_ body: () async throws(Failure) -> some Any) async -> Failure? {
    do throws(Failure) { _ = try await body() } catch { return error }
    return nil
}
