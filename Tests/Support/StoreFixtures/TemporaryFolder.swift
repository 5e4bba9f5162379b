import FoundationEssentials

/// A new folder, removed with all that is in it when `body` returns.
package func withTemporaryFolder<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    let path = "\(FileManager.default.temporaryDirectory.path)/latchkey-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    do {
        let value = try await body(path)
        try FileManager.default.removeItem(atPath: path)
        return value
    } catch {
        try? FileManager.default.removeItem(atPath: path)
        throw error
    }
}
