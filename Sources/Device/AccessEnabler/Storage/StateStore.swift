import Dispatch
import FoundationEssentials

/// Keeps the state file. Every change reads the file, changes it and replaces it under a lock, so that two programs
/// may use it at once; nothing is believed to be in it from before.
package final class StateStore: Sendable {
    private let file: StateFile
    // File work blocks, and must not do so on the cooperative pool.
    private let queue = DispatchQueue(label: "state file")
    private let whenSetAside: @Sendable (String) -> Void

    /// - Parameter whenSetAside: told the new path of a file that could not be understood.
    package init(path: String, whenSetAside: @escaping @Sendable (String) -> Void) {
        self.file = StateFile(path: path)
        self.whenSetAside = whenSetAside
    }

    /// The state as it is now.
    func read() async throws(EntitlementError) -> BoxState {
        try await self.perform { () throws(EntitlementError) in
            if let state = try self.load() { return state }
            // Looked at again under the lock: another program may have set it aside, and begun anew, meanwhile.
            return try self.file.withLock { () throws(EntitlementError) in try self.loadOrBeginAnew() }
        }
    }

    /// Changes the state and returns what `change` returns. On return the new state survives a power cut.
    func update<Result: Sendable>(
        _ change: @escaping @Sendable (inout BoxState) -> Result
    ) async throws(EntitlementError) -> Result {
        try await self.perform { () throws(EntitlementError) in
            try self.file.withLock { () throws(EntitlementError) in
                var state = try self.loadOrBeginAnew()
                let result = change(&state)
                try self.file.replace(with: try encoded(state))
                return result
            }
        }
    }

    private func loadOrBeginAnew() throws(EntitlementError) -> BoxState {
        if let state = try self.load() { return state }
        self.whenSetAside(try self.file.setAside())
        return BoxState()
    }

    /// - Returns: `nil` when the file is there and cannot be understood.
    private func load() throws(EntitlementError) -> BoxState? {
        guard let bytes = try self.file.read() else { return BoxState() }
        guard let version = try? JSONDecoder().decode(VersionOnly.self, from: Data(bytes)).version else { return nil }
        guard version <= BoxState.currentVersion else {
            throw EntitlementError(.state, detail: "\(self.file.path) was written by a newer version")
        }
        return try? JSONDecoder().decode(BoxState.self, from: Data(bytes))
    }

    private func perform<Result: Sendable>(
        _ work: @escaping @Sendable () throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        let result = await withCheckedContinuation { continuation in
            self.queue.async {
                continuation.resume(returning: Swift.Result<Result, EntitlementError>(catching: work))
            }
        }
        return try result.get()
    }
}

private func encoded(_ state: BoxState) throws(EntitlementError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return Array(try encoder.encode(state))
    } catch {
        throw EntitlementError(.state, detail: "the state cannot be written as JSON")
    }
}

/// Read first: what a newer version wrote is not damaged, only unknown.
private struct VersionOnly: Decodable {
    let version: Int
}
