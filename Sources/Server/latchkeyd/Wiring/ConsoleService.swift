import Clientless
import Entitlement
import HTTPServer
import Lifecycle
import Observability
import POSIX
import ServerAPI

/// The operator's pages on their own listener. Viewers and boxes must not wait for them: if it cannot listen, the log
/// says so and the server goes on without.
package struct ConsoleService: Service {
    private let server: HTTPServer
    private let addresses: [HTTPListenerAddress]
    private let logger: Logger

    /// - Parameter warnings: what is wrong with the configuration, or should not surprise: sentences.
    /// - Throws: the fault of a file of the pages.
    package init?(_ assembly: ServerAssembly, warnings: @escaping @Sendable () -> [String]) throws {
        let (parts, settings) = (assembly.parts, assembly.parts.configuration.console)
        self.addresses = settings.addresses(besideStore: parts.configuration.storeFile)
        guard !self.addresses.isEmpty else { return nil }
        self.logger = parts.logger.named("console")
        var made = OperatorConsole.Parts(
            domain: assembly.domain, metrics: parts.metrics, warnings: warnings, logger: parts.logger,
            now: parts.now, uptime: SystemClock.uptime)
        made.facts = Self.facts(parts, since: SystemClock.uptime())
        let (explanations, accounts, live) = (assembly.domain.explanations, assembly.domain.accounts, assembly.live)
        made.explain = { resource, box, now throws(EntitlementError) in
            let (lines, mayPlay) = try await ExplainCommand.answer(
                on: resource, by: box, requestor: box.newestRequestor, explanations, accounts, live.current,
                now: now)
            return (lines.map { ($0.step, $0.answer) }, mayPlay)
        }
        made.asksEveryone = settings.asksEveryone
        made.localName = { $0.peer.map { "console, user \($0.user)" } ?? "console" }
        var configuration = HTTPServerConfiguration(addresses: self.addresses)
        configuration.threads = 1
        configuration.tls = settings.isReachedFromElsewhere ? parts.tls : nil
        configuration.maximumBodySize = 65_536
        configuration.maximumConnections = 64
        configuration.maximumHeldRequests = 1
        configuration.stopTimeout = .seconds(2)
        configuration.identifiesPeers = true
        // Counters of its own, which are told nowhere: those of the server are of boxes and viewers.
        self.server = HTTPServer(
            configuration: configuration, router: try OperatorConsole(made).router(), logger: self.logger,
            metrics: Metrics())
    }

    private static func facts(
        _ parts: ServerAssembly.Parts, since start: Duration
    ) -> @Sendable () -> [OperatorConsole.Fact] {
        let (configuration, metrics) = (parts.configuration, parts.metrics)
        let file = configuration.shownStoreFile
        return {
            let now = parts.now()
            func age(_ seconds: Int64) -> String { OperatorConsole.span(.seconds(now.seconds - seconds)) }
            let end = Int64(metrics.sum(of: "latchkey_certificate_end_seconds"))
            var facts: [OperatorConsole.Fact] = [
                ("Version", ServerProgram.version),
                ("Running for", OperatorConsole.span(SystemClock.uptime() - start)),
                (
                    "Certificate",
                    end == 0
                        ? "none here; a proxy may have one"
                        : end > now.seconds ? "ends in \(age(2 * now.seconds - end))" : "ended \(age(end)) ago"
                ),
            ]
            let backup = BackupCommand.lastSuccess(of: configuration).map { "\(age($0)) ago" }
            guard let file else {
                return facts + [("Store", "PostgreSQL"), ("Last backup", backup ?? "not known here")]
            }
            facts += [
                ("Last backup", backup ?? "none was made"),
                ("Store", Self.megabytes(metrics.sum(of: "latchkey_store_bytes"))),
                ("Free disk", FileStatus.freeBytes(at: Folder.containing(file)).map(Self.megabytes) ?? "not known"),
            ]
            return facts
        }
    }

    private static func megabytes(_ bytes: Int) -> String {
        bytes < 10_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000_000_000) GB"
    }

    func replaceTLS(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) { try self.server.replaceTLS(tls) }

    /// Returns when it listens, and when it cannot.
    package func waitUntilStarted() async throws { _ = try? await self.server.boundAddresses }

    package func run() async throws {
        do {
            try await self.server.run()
        } catch {
            let facts: LogFacts = [
                .address: .text(self.addresses.map(\.description).joined(separator: ", ")), .error: .text("\(error)"),
            ]
            self.logger.warning("the console is not served: its address cannot be listened on", facts)
            // A service that ends by itself would stop the others.
            await StopSignal.current.wait()
        }
    }
}
