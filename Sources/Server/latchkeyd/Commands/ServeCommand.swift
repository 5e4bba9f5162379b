import CommandLineTool
import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer
import Lifecycle
import Observability
import POSIX

enum ServeCommand {
    static let command = ServerCommand(
        .store, "serve", "Serve boxes and browsers until stopped",
        discussion: [
            "If the store is missing, the server does not start. Restore a backup, or make a new store with "
                + "--new-store.",
            "If an older version wrote the store, the server first copies and migrates it, as 'latchkeyd migrate' "
                + "does.",
            "SIGTERM and SIGINT stop the server. It takes no new requests, answers the open ones and closes the "
                + "store. A second signal stops it at once.",
            "On SIGHUP the server reads the configuration, the certificate and its key again. Providers, "
                + "requestors, logos, pages with the file of places, calls, boxes without newBox, keys.lead, "
                + "server.publicURL, server.trustedProxies and the certificate change at once and interrupt no "
                + "request. Other settings need a restart; the log names those that changed. If the configuration "
                + "or the certificate has a fault, nothing changes and the log names the fault.",
        ],
        options: [
            .value(
                "listen", "ADDRESS",
                "Listen here instead, as in the setting server.listen; port 0 lets the system choose",
                isRepeatable: true),
            .value("address-file", "FILE", "Write the addresses here once it listens, one URL a line"),
            .flag("new-store", "Make a new store file, and start without viewers and keys"),
            .flag("print-address", "Say LISTENING and the URL on standard error once it listens, for programs"),
        ],
        examples: [
            "latchkeyd serve": "with the configuration at one of the usual places",
            "latchkeyd serve --listen 127.0.0.1:0 --address-file address": "for tests",
        ], also: [.addressUnavailable], hasResult: false
    ) { arguments, call in
        // Until the server listens to the first, these must not end the process, as they do by default: the reader of the
        // log may go away, and a supervisor may signal what it has signalled another program.
        for signal in [Signal.hangUp, .brokenPipe, .userDefined1, .userDefined2] { signal.ignore() }
        let source = try call.file
        let configuration = try source.read()
        let listen = try arguments.values("listen", .listenerAddress)
        let keys = try configuration.keyFolder.load(now: call.now)
        let tls = try Self.tls(configuration)
        let logger = configuration.log.logger(environment: call.context.environment)
        ThisProcess.raiseOpenFileLimit()
        ThisProcess.mapMemory(ofAtLeast: HTTPServerConfiguration.connectionMemory)
        // As many threads as there are processors ask for memory at once.
        ThisProcess.shareMemory(arenas: max(2, ProcessInfo.processInfo.activeProcessorCount))
        let metrics = Metrics()
        let lock = configuration.store.kind.isFile ? try configuration.lockStoreFile() : nil
        let hadOpenStore = configuration.hasOpenStore
        let opened = try await StoreAccess.open(
            configuration, for: arguments.has("new-store") ? .making : .serving, (logger, metrics))
        if hadOpenStore, !configuration.hasOpenStore {
            logger.warning(
                "others could read the store, which has names and hashes of passwords, until its mode was mended now",
                [.file: .text(configuration.storeFile)])
        }
        if let upgrade = opened.upgrade {
            logger.notice("the store was brought up to date", [.detail: .text(upgrade)])
        }
        do {
            let administration = Administration(
                catalogue: configuration.catalogue, store: opened.store, keys: keys.serverKeys)
            let folder = configuration.keyFolder.path
            let fit = try await KeyFit.require(of: folder, for: administration)
            if let fault = fit.fault(folder: folder) {
                logger.warning("boxes with key pairs that do not open are refused", [.detail: .text(fault)])
            }
            // A store that takes no mark now gets it at the next start.
            if fit.isMarked == nil { try? await administration.keyMark.set() }
            try? await administration.keyMark.add(signingKeys: keys.marks)
            for warning in await ConfigurationWarning.goneKeys(in: configuration, administration.keyMark, now: call.now)
            { logger.warning(warning.message, warning.facts) }
            let credentials = administration.credentials
            if try await credentials.keyPairs().isEmpty, try await credentials.applications().isEmpty {
                logger.warning("every box is refused: the store has no key pair and no application; is it empty?")
            }
            await Self.endAgain(opened, beside: configuration.storeFile, now: call.now, logger)
            let parts = ServerAssembly.Parts(
                configuration: configuration, keys: keys, store: opened.store, listen: listen.isEmpty ? nil : listen,
                tls: tls, logger: logger, metrics: metrics, now: call.context.now)
            let assembly = try await ServerAssembly(parts)
            let announcement = AddressAnnouncement(
                server: assembly.server, console: call.context.console, publicURL: configuration.server.publicURL,
                usesTLS: tls != nil, printsAddresses: arguments.has("print-address"),
                file: arguments.value("address-file"), manager: call.context.environment["NOTIFY_SOCKET"])
            await Self.warn(configuration, tls, listen: parts.listen, administration.operations, now: call.now, logger)
            let console = try ConsoleService(assembly) {
                CheckConfigCommand.sentences(of: source, listen: parts.listen, now: parts.now())
            }
            let reload = ServerReload(source, of: assembly, console: console, logger: logger)
            var services = assembly.services + [("reload", reload)]
            if let console { services.append(("console", console)) }
            let group = ServiceGroup(
                services + [("announcement", announcement)],
                logger: logger, stopTimeout: configuration.server.http.stopTimeout + .seconds(10),
                onHangUp: { reload.ask() })
            try await group.run()
            _ = consume lock
        } catch {
            await opened.close()
            throw StartFailure.described(error, storeFile: configuration.shownStoreFile)
        }
    }

    /// Ends again what operators ended, in a store that was put back from a backup. It reports a file that it cannot
    /// read, and the server goes on.
    private static func endAgain(_ opened: OpenedStore, beside file: String, now: Timestamp, _ logger: Logger) async {
        let revoked = EndingsFile(beside: file)
        do {
            let (endings, unreadable) = try revoked.read()
            if !unreadable.isEmpty {
                let numbers = unreadable.prefix(20).map(String.init).joined(separator: ", ")
                logger.error(
                    "what lines of the list of revocations say may count again: this version cannot read them",
                    [.detail: .text("\(unreadable.count) in \(revoked.path): \(numbers)")])
            }
            let outcomes = try await Endings(opened.store).endAgain(endings, actor: CommandActor.text, now: now)
            for outcome in outcomes {
                logger.notice(
                    "ended again, as it was before the store was put back", [.detail: .text(outcome.sentence)])
            }
        } catch {
            logger.error("what was revoked before the store was put back may count again", [.detail: .text("\(error)")])
        }
    }

    /// Reads the certificate and its key; `nil` when the server does without.
    static func tls(_ configuration: Configuration) throws(OperatorError) -> HTTPServerConfiguration.TLS? {
        guard let certificate = configuration.server.certificateFile, let key = configuration.server.certificateKeyFile
        else { return nil }
        try PrivateFiles.requireClosed(configuration.path(key))
        func text(_ file: String) throws(OperatorError) -> String {
            String(decoding: try PrivateFiles.read(configuration.path(file), limit: 1 << 20), as: UTF8.self)
        }
        return HTTPServerConfiguration.TLS(certificatePEM: try text(certificate), keyPEM: try text(key))
    }

    /// Says what is allowed and should not surprise the operator.
    /// - Parameters:
    ///   - tls: the certificate in use, which need not be the configured one; `nil` without.
    ///   - listen: the addresses in place of the configured ones; `nil` for those.
    static func warn(
        _ configuration: Configuration, _ tls: HTTPServerConfiguration.TLS?, listen: [HTTPListenerAddress]?,
        _ operations: Operations, now: Timestamp, _ logger: Logger
    ) async {
        var configuration = configuration
        if let listen { configuration.server.http.addresses = listen }
        if configuration.catalogue.requestors.contains(where: { $0.strictness == .compatible }) {
            logger.info(
                "codes of compatible requestors keep 7 characters; those of strict ones get an eighth above this number",
                [.count: .number(configuration.pairing.codesBeforeLongerCodes)])
        }
        let warnings =
            ConfigurationWarning.all(in: configuration)
            + ConfigurationWarning.certificate(tls, in: configuration, now: now, isServing: true)
            + (await ConfigurationWarning.strays(from: configuration.catalogue, operations, now: now))
        for warning in warnings { logger.warning(warning.message, warning.facts) }
    }
}
