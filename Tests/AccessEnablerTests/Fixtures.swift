import AccessEnabler
import Clientless
import Cryptography
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A clock that stands still but for the pauses it is asked for, which pass at once.
final class ManualClock: BoxClock {
    private struct State {
        var now: Timestamp
        var pauses: [Duration] = []
    }

    private let state: Mutex<State>

    init(seconds: Int64 = 1_800_000_000) {
        self.state = Mutex(State(now: Timestamp(seconds: seconds)))
    }

    var now: Timestamp { self.state.withLock(\.now) }
    var pauses: [Duration] { self.state.withLock(\.pauses) }

    func advance(by duration: Duration) {
        self.state.withLock { $0.now = $0.now + duration }
    }

    func sleep(for duration: Duration) async throws(CancellationError) {
        self.state.withLock { state in
            state.now = state.now + duration
            state.pauses.append(duration)
        }
        if Task.isCancelled { throw CancellationError() }
        await Task.yield()
    }
}

/// Chance that always falls in the middle, and nonces that count.
final class CountingRandomness: Randomness {
    private let count = Atomic<Int>(0)

    func bytes(_ count: Int) -> [UInt8] {
        guard count > 4 else { return [0x80, 0, 0, 0] }
        let number = self.count.add(1, ordering: .relaxed).newValue
        return [UInt8](repeating: 0, count: count - 2) + [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
}

/// A box in a folder of its own, with a machine ID of its own.
struct TestBox {
    static let machineID = "0123456789abcdef0123456789abcdef"
    static let privateKey = "k7Qm2vTx9LbN4cRz"

    let folder: TemporaryFolder
    let clock: ManualClock
    let url: String

    init(_ url: String, clock: ManualClock = ManualClock()) throws {
        self.folder = try TemporaryFolder()
        self.clock = clock
        self.url = url
        try self.folder.write(Self.machineID + "\n", to: "machine-id")
    }

    var statePath: String { self.folder.file("state/state.json") }

    var configuration: Configuration {
        get throws {
            var configuration = Configuration(
                environment: .custom(try #require(URL(string: self.url))), stateFile: self.statePath,
                deviceScope: "test")
            configuration.machineIDFile = self.folder.file("machine-id")
            configuration.clock = self.clock
            configuration.randomness = CountingRandomness()
            return configuration
        }
    }

    /// The library as an application of registered software uses it.
    func enabler(_ change: (inout Configuration) -> Void = { _ in }) async throws -> AccessEnabler {
        var configuration = try self.configuration
        change(&configuration)
        let enabler = AccessEnabler(credentials: .softwareStatement(Secret("a.b.c")), configuration: configuration)
        try await enabler.configure(requestorID: "NORTHSPORT")
        return enabler
    }

    /// The library as an application with a key pair uses it.
    func signingEnabler() async throws -> AccessEnabler {
        let keyPair = try #require(
            KeyPair(publicKey: "P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", privateKey: Secret(Self.privateKey)))
        let enabler = AccessEnabler(credentials: .keyPair(keyPair), configuration: try self.configuration)
        try await enabler.configure(requestorID: "NORTHSPORT")
        return enabler
    }
}

/// What a sign-in reported, in words that can be compared.
final class ProgressLog: Sendable {
    private let entries = Mutex<[String]>([])
    let shown = Signal<RegistrationCode>()

    var words: [String] { self.entries.withLock { $0 } }

    func record(_ progress: PairingProgress) {
        let word =
            switch progress {
            case .code(let code, _, let isResumed): "\(isResumed ? "resumed" : "code") \(code.code)"
            case .state(let state): "state \(state.rawValue)"
            case .providerRefused(let reason): "refused \(reason ?? "")"
            case .connectionProblem(let error): "problem \(error)"
            case .connectionRestored: "restored"
            }
        self.entries.withLock { $0.append(word) }
        if case .code(let code, _, _) = progress { self.shown.send(code) }
    }
}
