import Clientless
import CommandLineTool
import Entitlement

/// The store that came out of a backup, before a server uses it.
struct RestoredStore {
    private let store: any EmbeddedStore
    private let file: String

    /// - Returns: `nil` for the store of an older program, which is left as it is.
    static func open(_ file: String) async throws(OperatorError) -> RestoredStore? {
        try await StoreAccess.openRestored(file).map { RestoredStore(store: $0, file: file) }
    }

    func close() async {
        await self.store.closeAsCopy()
    }

    /// - Parameter keys: the folder of keys that came with it; `nil` when they were left out.
    /// - Throws: when the store is damaged, or the keys are not its own.
    func check(_ keys: KeyFolder?, now: Timestamp) async throws {
        if let damage = try await self.store.integrityCheck().first {
            throw OperatorError(
                "The store in the backup is damaged (\(terminalSafe(damage, limit: 200))).",
                advice: "Nothing was restored. Take an older backup.", exitCode: .invalidData)
        }
        guard let keys else { return }
        let administration = Administration(
            catalogue: Catalogue(requestors: [], mvpds: []), store: self.store, keys: try keys.serverKeys(now: now))
        try await KeyFit.require(of: keys.path, for: administration)
    }

    /// Ends again what was ended since the backup was made.
    /// - Returns: a line for each that was in force.
    func endAgain(_ endings: [Ending], now: Timestamp) async throws -> [String] {
        do throws(EntitlementError) {
            return try await Endings(self.store).endAgain(endings, actor: CommandActor.text, now: now)
                .map { "  \($0.sentence)" }
        } catch {
            throw StoreProblem.described(error, file: self.file)
        }
    }

    func inventory(now: Timestamp) async throws -> RestoredInventory {
        try await RestoredInventory(self.store, now: now)
    }
}

extension Endings.Outcome {
    /// For an operator.
    var sentence: String {
        let end = self.ending.time.timeText
        let signIns = self.count == 1 ? "1 sign-in" : "\(self.count) sign-ins"
        return switch self.ending.subject {
        case .keyPair(let key): "key pair \(key), \(end)"
        case .application(let id): "application \(id), \(end)"
        case .client(let id): "client \(id), \(end)"
        case .account(_, let mvpd): "a viewer of \(mvpd), \(end)"
        case .passkey(let credential): "passkey \(Passkey.name(of: credential)), \(end)"
        case .setUpCode(let hash): "set-up code \(SetUpCodeRecord.name(of: hash)), \(end)"
        case .signIns: "\(signIns) of one selection, \(end)"
        case .signIn: "\(signIns), \(end)"
        case .device: "\(signIns) of one box, \(end)"
        }
    }
}
