import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import HTTPServer
import Lifecycle
package import Observability
import ServerAPI

/// Reads the configuration again while the server runs, and puts into force what can change: all of it or nothing.
package final class ServerReload: Service {
    private let file: ConfigurationFile
    private let assembly: ServerAssembly
    private let console: ConsoleService?
    private let logger: Logger
    /// The settings of the start that stay, with the contents that their files had.
    private let running: [(name: String, text: String)]
    private let requests: AsyncStream<Void>
    private let mailbox: AsyncStream<Void>.Continuation

    package init(_ file: ConfigurationFile, of assembly: ServerAssembly, console: ConsoleService? = nil, logger: Logger)
    {
        self.file = file
        self.assembly = assembly
        self.console = console
        self.logger = logger.named("reload")
        self.running = Self.fixed(assembly.parts.configuration, hasPlatform: assembly.hasPlatform)
        // Several requests while one is under way are one.
        (self.requests, self.mailbox) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks for the configuration to be read again, from any thread.
    package func ask() { self.mailbox.yield(()) }

    package func run() async throws {
        await StopSignal.cancelling {
            var served = self.assembly.parts.tls
            for await _ in self.requests { await self.reload(replacing: &served) }
        }
    }

    /// - Parameter served: the certificate in force; `nil` without.
    private func reload(replacing served: inout HTTPServerConfiguration.TLS?) async {
        do {
            let configuration = try self.file.read()
            let catalogue = try configuration.completeCatalogue()
            let platform = try Configuration.whole { configuration.platformExchange(for: catalogue, &$0) }
            let tls = try ServeCommand.tls(configuration)
            // One that is in force stays, whatever its name.
            let isOther = tls?.certificatePEM != served?.certificatePEM || tls?.fault != nil
            if isOther, let fault = tls.flatMap(configuration.certificateFault) { return self.refuse(fault) }
            try self.assembly.adopt(configuration, catalogue, tls)
            // Usable: the server itself has it by now.
            if let tls { try self.console?.replaceTLS(tls) }
            self.logger.notice(
                "the configuration was read again and is in force",
                [.requestors: .number(catalogue.requestors.count), .providers: .number(catalogue.mvpds.count)])
            KeyWatch.warn(
                of: self.assembly.parts.configuration.keyFolder, self.assembly.keyRing,
                self.assembly.parts.keys.serverKeys, self.logger)
            // A server that was started without TLS goes on without.
            if let tls, let former = served, tls.certificatePEM != former.certificatePEM {
                served = tls
                let end = Timestamp(seconds: Int64(ServerAssembly.end(of: tls)))
                self.logger.notice(
                    "new connections get the certificate that changed", [.detail: .text("until \(end.timeText)")])
            }
            let old = self.assembly.parts.configuration
            if configuration.server.publicURL != old.server.publicURL {
                self.logger.warning(
                    "boxes keep the public URL that they were set up with, and so do passkeys and TV providers",
                    [.detail: .text("it was \(old.server.publicURL) at the start")])
            }
            let read = Self.fixed(configuration, hasPlatform: platform != nil)
            for ((name, new), (_, old)) in zip(read, self.running) where new != old {
                self.logger.warning("a setting that changed takes effect at the next start", [.setting: .text(name)])
            }
            await ServeCommand.warn(
                configuration, served, listen: self.assembly.parts.listen, self.assembly.domain.operations,
                now: self.assembly.parts.now(), self.logger)
        } catch let error as ConfigurationFaults {
            for fault in error.faults { self.refuse(fault.description) }
        } catch {
            self.refuse("\(error)")
        }
    }

    private func refuse(_ reason: String) {
        self.logger.error("the configuration has a fault, and the old one stays in force", [.detail: .text(reason)])
    }

    /// The settings that a running server cannot change, each as it is configured.
    /// - Parameter hasPlatform: whether any integration takes platform sign-ins.
    private static func fixed(_ configuration: Configuration, hasPlatform: Bool) -> [(name: String, text: String)] {
        let (server, http, store) = (configuration.server, configuration.server.http, configuration.store)
        let settings: [(String, Any?)] = [
            ("server.listen", http.addresses),
            ("server.certificate (with TLS or without)", server.certificateFile != nil),
            ("server.threads", http.threads), ("server.maximumBodySize", http.maximumBodySize),
            ("server.maximumConnections", http.maximumConnections),
            ("server.maximumConnectionsPerAddress", http.maximumConnectionsPerAddress),
            ("server.maximumHeldRequestsPerAddress", http.maximumHeldRequestsPerAddress),
            ("server.idleTimeout", http.idleTimeout), ("server.requestTimeout", http.requestTimeout),
            ("server.stopTimeout", http.stopTimeout), ("server.accessLogEvery", http.accessLog),
            ("log", configuration.log), ("store.file", configuration.storeFile),
            ("store", store.options(of: store.kind)), ("keys.folder", configuration.path(configuration.keys.folder)),
            ("console", configuration.console), ("pairing", configuration.pairing),
            ("platform", configuration.platform), ("boxes.newBox", configuration.boxes.newBox),
            ("platform.decryptionKey (the file)", Self.digest(configuration.platform.decryptionKeyFile, configuration)),
            ("boxes.newBox.token (the file)", Self.digest(configuration.boxes.newBox?.token?.name, configuration)),
            ("server.publicURL, for notices of new boxes", configuration.boxes.newBox.map { _ in server.publicURL }),
            ("server.publicURL, for platform sign-ins", hasPlatform ? server.publicURL : nil),
            ("platform (the first integration that takes part)", hasPlatform),
            ("calls.throttle (on or off, for new codes and clients)", configuration.calls.api.throttle != nil),
        ]
        // Plain values all of them, whose text says everything that is in them.
        return settings.map { (name: $0, text: String(describing: $1)) }
    }

    /// The digest of a file that may have another content under the same name; `nil` without one that can be read.
    private static func digest(_ file: String?, _ configuration: Configuration) -> [UInt8]? {
        file.flatMap { try? PrivateFiles.read(configuration.path($0), limit: 65_536) }.map { Digest.sha256($0) }
    }
}

extension ServerAssembly {
    /// Puts another configuration into force: the catalogue, the faces, the certificate, and the rules for signing keys
    /// that follow from it. Requests that have begun end with the faces they began with, and connections with their
    /// certificate.
    ///
    /// New faces count the calls of boxes and browsers anew, and know no nonce of a `compatible` requestor from before:
    /// within its window a header then can be used once more.
    /// - Parameter tls: the certificate and the key; `nil` without.
    /// - Throws: when the faces cannot be made or the certificate not be used; then the old configuration stays in force.
    fileprivate func adopt(
        _ configuration: Configuration, _ catalogue: Catalogue, _ tls: HTTPServerConfiguration.TLS?
    ) throws {
        var parts = self.parts
        parts.configuration = configuration
        let running = self.domain.configured
        // First: the faces read the catalogue.
        self.domain.replace(try Self.configured(catalogue, of: configuration, self.parts, self.clients))
        do {
            let faces = try Self.faces(
                self.domain, parts, self.keyRing, logos: self.logos.shelf, places: self.places,
                stopping: self.stopping)
            // The last that can fail.
            if let tls { try self.server.replaceTLS(tls) }
            // A server keeps TLS, or goes on without, as it was started.
            if let tls, self.parts.tls != nil { self.certificateEnd.set(Self.end(of: tls)) }
            self.server.replaceRouter(faces.router())
        } catch {
            self.domain.replace(running)
            throw error
        }
        self.live.replace(configuration)
        self.clients.forgetOthers()
        self.logos.follow(configuration.logoSources)
        self.places.follow(configuration.placesPath, logger: parts.logger)
        self.keyRing.follow(Self.keyRules(catalogue, lead: configuration.keys.lead, self.parts))
    }
}
