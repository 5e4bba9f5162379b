import Clientless
import HTTPClient
import Lifecycle
package import Observability
import OpenIDConnect
import Providers
import Synchronization

/// The clients of TV providers that are asked over the network: one for each provider, kept while its settings stay, so
/// that reading the configuration again forgets no keys. It fetches what they publish ahead of the viewers.
package final class ProviderClients: Service {
    struct Key: Hashable, Sendable {
        enum Registration: Hashable, Sendable {
            case openIDConnect(OpenIDConnectSettings)
            case saml(SAMLSettings, publicURL: String)
        }

        let mvpd: MVPDID
        let registration: Registration
        /// The digests of its secrets.
        let secrets: [UInt8]
    }

    /// The settings of connections, besides this server's name: files of certificates and their key.
    struct Transport: Hashable, Sendable {
        /// Those whom to trust; `nil` for the authorities of the system.
        var authorities: String?
        /// The pages of the server, if it is asked.
        var certificate: String?
        var key: String?

        /// The same, with paths as the system takes them.
        func located(_ path: (String) -> String) -> Transport {
            Transport(
                authorities: self.authorities.map(path), certificate: self.certificate.map(path),
                key: self.key.map(path))
        }
    }

    private struct State {
        var clients: [Key: any ProviderClient] = [:]
        /// Those that the configuration read last has.
        var wanted: Set<Key> = []
        /// Those whose last fetch failed, and was said to.
        var failing: Set<Key> = []
        var transports: [Transport: HTTPClient] = [:]
    }

    /// How often documents are looked at; they are fetched when they are old.
    private static let interval: Duration = .seconds(30)

    private let logger: Logger
    private let state = Mutex(State())

    package init(logger: Logger) { self.logger = logger.named("providers") }

    /// Begins to collect the clients of a configuration; ``forgetOthers()`` ends it.
    func beginRound() { self.state.withLock { $0.wanted = [] } }

    /// The client of `key`, made if there is none.
    /// - Parameter make: gets the way to the provider.
    func client<Client: ProviderClient>(
        _ key: Key, authorities: String? = nil, _ make: (any ProviderTransport) -> Client
    ) -> Client {
        self.state.withLock { state in
            state.wanted.insert(key)
            // A registration is of one kind, and so is what was made of it.
            if let client = state.clients[key] as? Client { return client }
            let client = make(Self.exchange(Transport(authorities: authorities), &state))
            state.clients[key] = client
            return client
        }
    }

    /// The way to what is asked with `transport`; connections stay open for the next question.
    func exchange(_ transport: Transport) -> any ProviderTransport {
        self.state.withLock { Self.exchange(transport, &$0) }
    }

    private static func exchange(_ transport: Transport, _ state: inout State) -> HTTPClient {
        let client = state.transports[transport] ?? Self.client(transport)
        state.transports[transport] = client
        return client
    }

    /// Forgets the clients that the configuration in force does not have.
    func forgetOthers() {
        self.state.withLock { state in
            let wanted = state.wanted
            state.clients = state.clients.filter { wanted.contains($0.key) }
            state.failing.formIntersection(wanted)
        }
    }

    package func run() async throws {
        await StopSignal.cancelling {
            while !Task.isCancelled {
                await self.refresh()
                try? await Task.sleep(for: Self.interval)
            }
        }
        await self.shutDown()
    }

    func shutDown() async {
        for transport in self.state.withLock({ Array($0.transports.values) }) { await transport.shutDown() }
    }

    /// Fetches what is old, of all providers at once: none waits for another.
    private func refresh() async {
        let clients = self.state.withLock { $0.clients }
        await withTaskGroup(of: Void.self) { group in
            for (key, client) in clients {
                group.addTask {
                    do {
                        try await client.refreshDocuments()
                        self.note(key, nil)
                    } catch {
                        if !Task.isCancelled { self.note(key, "\(error)") }
                    }
                }
            }
        }
    }

    private func note(_ key: Key, _ fault: String?) {
        let isNew = self.state.withLock { state in
            guard state.clients[key] != nil else { return false }
            return fault == nil ? state.failing.remove(key) != nil : state.failing.insert(key).inserted
        }
        guard isNew else { return }
        if let fault {
            self.logger.warning(
                "what a TV provider publishes could not be fetched",
                [.provider: .text(key.mvpd.text), .detail: .text(fault)])
        } else {
            self.logger.notice("what a TV provider publishes can be fetched again", [.provider: .text(key.mvpd.text)])
        }
    }

    private static func client(_ transport: Transport) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.connectTimeout = .seconds(3)
        configuration.keptConnections = 16
        configuration.userAgent = "latchkeyd/\(ServerProgram.version)"
        configuration.authorityFile = transport.authorities
        if let certificate = transport.certificate, let key = transport.key {
            configuration.identity = (certificate, key)
        }
        return HTTPClient(configuration)
    }
}

/// A client of one provider, which keeps what the provider publishes.
protocol ProviderClient: Sendable {
    /// Fetches what is old.
    func refreshDocuments() async throws
}

extension OpenIDConnectClient: ProviderClient {}
extension SAMLClient: ProviderClient {}
