import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Providers
import StoreSQLite

/// What the commands share that do what the management face does: one domain behind both.
enum Operations {
    /// Whom the audit log names for what these commands change.
    static var actor: String { CommandActor.text }

    /// Lends a domain on the configured store for the length of `body`. The server may run meanwhile; it follows what
    /// is changed here within a second or two.
    /// - Throws: `OperatorError`, also for what the domain throws; what `body` throws.
    static func withDomain<Result>(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ body: (Entitlements, Configuration) async throws -> Result
    ) async throws -> Result {
        try await self.withCore(arguments, context) { core in try await body(core.domain, core.configuration) }
    }

    /// A domain and what it stands on.
    struct Core {
        let domain: Entitlements
        let store: SQLiteStore
        let keys: ServerKeys
        let configuration: Configuration
    }

    /// The same for commands about accounts, which are the store's.
    static func withCore<Result>(
        _ arguments: ParsedArguments, _ context: CommandContext, _ body: (Core) async throws -> Result
    ) async throws -> Result {
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let keys = try KeyFolder(configuration.path(configuration.keys.folder)).load(now: context.now())
        return try await StoreAccess.withStore(of: configuration) { store in
            // A command asks a few questions and ends: there is nothing to remember.
            var limits = configuration.pairing.limits
            limits.remembered = 1000
            limits.waiting = 0
            let domain = Entitlements(
                catalogue: configuration.catalogue, store: store,
                providers: ServerAssembly.providers(of: configuration.catalogue, accounts: store),
                keys: keys.serverKeys, documents: TokenDocumentSigner(signingWith: keys.tokenSigning[0]),
                uptime: SystemClock.uptime, limits: limits)
            do {
                _ = try await domain.upkeep.start(now: context.now())
                return try await body(
                    Core(domain: domain, store: store, keys: keys.serverKeys, configuration: configuration))
            } catch let error as EntitlementError {
                throw OperatorError(
                    "The store \(configuration.path(configuration.store.file)) does not do what was asked "
                        + "(\(error.detail ?? error.code.description)).",
                    advice: "Look whether another program holds it, and whether it can be read and written.",
                    exitCode: .stateProblem)
            }
        }
    }

    /// The values of `--resource`, each once.
    static func resources(_ arguments: ParsedArguments) throws -> [Resource] {
        var resources: [Resource] = []
        for text in arguments.values("resource") {
            guard let resource = try? Resource(fromWire: text) else {
                throw UsageError(
                    "--resource takes a channel or an MRSS document of at most \(Resource.maximumLength) bytes.",
                    commandPath: arguments.commandPath)
            }
            if !resources.contains(resource) { resources.append(resource) }
        }
        return resources
    }

    /// A device ID as it was typed, or from standard input for `-`, where other users of this machine do not see it.
    static func device(_ text: String, _ arguments: ParsedArguments) throws -> DeviceID {
        let typed: String
        if text == "-" {
            typed = try StandardInput.firstLine(limit: 4096).withBytes { String(decoding: $0, as: UTF8.self) }
        } else {
            typed = text
        }
        guard let device = DeviceID(fromWire: typed) else {
            throw UsageError(
                "A device ID has 1 to 512 bytes and no control characters.", commandPath: arguments.commandPath)
        }
        return device
    }
}
