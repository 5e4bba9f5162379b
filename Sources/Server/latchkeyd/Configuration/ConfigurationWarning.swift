import Clientless
import Entitlement
import FoundationEssentials
import HTTPServer
package import Observability
import Places
import ServerAPI

/// Something that is allowed, and that an operator should know to be so.
package struct ConfigurationWarning: Sendable {
    package let message: StaticString
    package let facts: LogFacts

    private init(_ message: StaticString, _ facts: LogFacts = [:]) {
        self.message = message
        self.facts = facts
    }

    /// Everything of the kind in a configuration, in its order.
    package static func all(in configuration: Configuration) -> [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if configuration.server.publicURL.hasPrefix("http://"), !Self.isOfThisMachine(configuration.server.publicURL) {
            warnings.append(.init("the public URL is not https, so passwords can be read on the way"))
        }
        // Over http the first warning says it; behind a proxy the address is the proxy's to reach.
        let server = configuration.server
        if server.publicURL.hasPrefix("https://"), server.certificateFile == nil, server.trustedProxies.isEmpty {
            warnings.append(
                server.http.addresses.contains(where: \.isBeyondThisMachine)
                    ? .init(
                        "plain http is listened for beyond this machine, with no certificate and no trusted proxy: give server.certificate, or name the proxy in server.trustedProxies"
                    )
                    : .init(
                        "the public URL is https, with no certificate and no trusted proxy, so all callers seem to be one: give server.certificate, or name the proxy in server.trustedProxies"
                    ))
        }
        warnings += Self.port(of: server)
        warnings += Self.unread(in: configuration.folder)
        if configuration.hasOpenStore {
            warnings.append(
                .init(
                    "others could read the store, which has names and hashes of passwords; chmod 0600 closes it to them",
                    [.file: .text(configuration.storeFile)]))
        }
        if configuration.calls.api.allowsAnyRedirect {
            warnings.append(.init("logins of programmers' pages may return to any address"))
        }
        if configuration.catalogue.requestors.isEmpty {
            warnings.append(.init("no requestor is configured, so no box can pair"))
        }
        return warnings + configuration.catalogue.requestors.flatMap(Self.all(in:)) + Self.lookalikes(in: configuration)
    }

    /// The files of providers and requestors that are passed over because of their names.
    static func unread(in folder: String) -> [ConfigurationWarning] {
        DropIn.unread(in: folder).map { path in
            .init(
                "a file or folder is not read because of its name: only providers/*.json5 and requestors/*.json5 in latchkeyd.d are",
                [.file: .text(path)])
        }
    }

    /// The port of the public URL, if the server neither listens on it nor has a proxy that could.
    private static func port(of server: ServerSettings) -> [ConfigurationWarning] {
        let isSecure = server.publicURL.hasPrefix("https://")
        let port = URLComponents(string: server.publicURL)?.port ?? (isSecure ? 443 : 80)
        // Another warning says that a certificate or a proxy is missing. Port 0 is any.
        guard server.trustedProxies.isEmpty, !isSecure || server.certificateFile != nil,
            server.http.addresses.allSatisfy({ ![nil, 0, port].contains($0.port) })
        else { return [] }
        let addresses = server.http.addresses.map(\.description).joined(separator: ", ")
        return [
            .init(
                "boxes and phones go to a port where this server does not listen: correct server.publicURL or server.listen, or name the proxy in server.trustedProxies",
                [.detail: .text("port \(port) of \(server.publicURL), listening on \(addresses)")])
        ]
    }

    /// Providers or requestors that people take for one another.
    static func lookalikes(in configuration: Configuration) -> [ConfigurationWarning] {
        let catalogue = configuration.catalogue
        let namesakes = catalogue.requestors.flatMap { requestor in
            Dictionary(grouping: catalogue.mvpds(of: requestor)) { $0.displayName.lowercased() }.values
                .filter { $0.count > 1 }.map { $0.map(\.id.text).joined(separator: ", ") }.sorted()
                .map { ids -> ConfigurationWarning in
                    .init(
                        "a requestor has providers of one name, which viewers cannot tell apart",
                        [.requestor: .text(requestor.id.text), .detail: .text(ids)])
                }
        }
        return namesakes
            + [catalogue.mvpds.map(\.id.text), catalogue.requestors.map(\.id.text)].flatMap { ids in
                Dictionary(grouping: ids) { $0.lowercased() }.values.filter { $0.count > 1 }
                    .map { $0.joined(separator: ", ") }.sorted()
                    .map { .init("IDs that differ only in capital letters", [.detail: .text($0)]) }
            }
    }

    private static func isOfThisMachine(_ url: String) -> Bool {
        guard let host = self.host(of: url) else { return false }
        return host == "localhost" || IPAddress(host)?.isLoopback == true
    }

    /// The faults that boxes and browsers find in a certificate, or will before long. One that cannot be used is a
    /// fault, not a warning.
    /// - Parameters:
    ///   - tls: the configured one, or the one that a server has in use; `nil` without.
    ///   - isServing: whether a server has it in use; to others one for another name is a fault, unless a trusted proxy
    ///     calls it.
    static func certificate(
        _ tls: HTTPServerConfiguration.TLS?, in configuration: Configuration, now: Timestamp, isServing: Bool = false
    ) -> [ConfigurationWarning] {
        guard let tls, tls.fault == nil else { return [] }
        var facts: LogFacts = [:]
        if let file = configuration.server.certificateFile { facts[.file] = .text(configuration.path(file)) }
        var warnings: [ConfigurationWarning] = []
        if isServing || !configuration.server.trustedProxies.isEmpty, Self.isForeign(tls, in: configuration) {
            warnings.append(.init("the certificate is not for the name in the public URL, so nothing trusts it", facts))
        }
        if tls.isAlone {
            warnings.append(
                .init(
                    "the certificate comes without the one of its issuer; unless that is a root, clients need it",
                    facts))
        }
        guard let lifetime = tls.lifetime else { return warnings }
        let (begin, end) = (Timestamp(seconds: lifetime.lowerBound), Timestamp(seconds: lifetime.upperBound))
        guard begin <= now else {
            facts[.detail] = .text("from \(begin.timeText) on")
            return warnings + [.init("the certificate is not valid yet, or this machine's clock is wrong", facts)]
        }
        facts[.detail] = .text("until \(end.timeText)")
        if end <= now {
            warnings.append(.init("the certificate has ended, so nothing trusts it", facts))
        } else if end <= now + Self.renewal {
            warnings.append(.init("the certificate ends before long; a reload takes a renewed one", facts))
        }
        return warnings
    }

    static func isForeign(_ tls: HTTPServerConfiguration.TLS, in configuration: Configuration) -> Bool {
        Self.host(of: configuration.server.publicURL).map { tls.covers(host: $0) == false } ?? false
    }

    /// How long before its end a certificate should have been renewed, as the alert of deploy/watch/prometheus has it.
    private static let renewal = Duration.seconds(14 * 86_400)

    /// The name or the address in a URL, that of IPv6 without its brackets.
    private static func host(of url: String) -> String? {
        URLComponents(string: url)?.host.map { $0.filter { $0 != "[" && $0 != "]" } }
    }

    /// The files of logos that no page can show, which takes a look at each. The server shows letters instead.
    static func logos(in configuration: Configuration) -> [ConfigurationWarning] {
        let order = configuration.logoSources.sorted {
            ($0.key.mvpd.text, $0.key.requestor?.text ?? "") < ($1.key.mvpd.text, $1.key.requestor?.text ?? "")
        }
        return order.compactMap { place, source -> ConfigurationWarning? in
            guard let file = source.file else { return nil }
            do throws(LogoFault) {
                _ = try LogoReader.picture(inFile: file, atMost: LogoShelf.maximumSize)
                return nil
            } catch {
                var facts: LogFacts = [
                    .provider: .text(place.mvpd.text), .file: .text(file), .detail: .text("\(error)"),
                ]
                if let requestor = place.requestor { facts[.requestor] = .text(requestor.text) }
                return ConfigurationWarning("a logo that no page can show", facts)
            }
        }
    }

    /// A fault of the file that says where addresses are used. The server shows no places instead.
    static func places(in configuration: Configuration) -> [ConfigurationWarning] {
        guard let path = configuration.placesPath else { return [] }
        do throws(PlaceFault) {
            _ = try PlaceDatabase(path)
            return []
        } catch {
            return [
                ConfigurationWarning(
                    "a file of places that no page can use", [.file: .text(path), .detail: .text("\(error)")])
            ]
        }
    }

    /// The requestors and providers that the store has boxes and viewers of and a catalogue lacks; none if the store does
    /// not answer.
    static func strays(
        from catalogue: Catalogue, _ operations: Operations, now: Timestamp
    ) async -> [ConfigurationWarning] {
        let strays = (try? await operations.strays(from: catalogue, now: now)) ?? []
        return strays.map { strays in
            let counts = [
                (strays.keyPairs, "key pair"), (strays.accounts, "account"), (strays.signIns, "recent sign-in"),
            ]
            let detail = counts.filter { $0.0 > 0 }.map { $0 == 1 ? "1 \($1)" : "\($0) \($1)s" }
            let facts: LogFacts = [.detail: .text(detail.joined(separator: ", "))]
            switch strays.owner {
            case .requestor(let id):
                return .init(
                    "the store has boxes of a requestor that the configuration lacks; they are refused",
                    facts.adding([.requestor: .text(id.text)]))
            case .provider(let id):
                return .init(
                    "the store has viewers of a provider that the configuration lacks; they cannot sign in or play",
                    facts.adding([.provider: .text(id.text)]))
            }
        }
    }

    /// The signing keys that a store was used with and the key folder lacks, although what they signed still counts; none
    /// if the store does not answer.
    static func goneKeys(
        in configuration: Configuration, _ mark: KeyMark, now: Timestamp
    ) async -> [ConfigurationWarning] {
        guard let used = try? await mark.signingKeys(), let present = try? configuration.keyFolder.marks()
        else { return [] }
        let lives = DocumentLivesFile(beside: configuration.storeFile)
            .with(DocumentLives.longest(of: configuration.catalogue), at: now)
        return KeyUse.allCases.flatMap { use in
            use.missing(in: present, of: used, lead: configuration.keys.lead, lives, at: now).map { key in
                .init(
                    "a signing key that the store was used with is gone: what it signed is refused, and boxes may have to sign in again; unless you want that, put its file back from a backup before the server starts",
                    [.detail: .text("\(use.rawValue), made \(key.made.timeText)")])
            }
        }
    }

    private static func all(in requestor: Requestor) -> [ConfigurationWarning] {
        let name: LogFacts = [.requestor: .text(requestor.id.text)]
        var warnings: [ConfigurationWarning] = []
        if !requestor.integrations.contains(where: \.isEnabled) {
            warnings.append(.init("a requestor has no provider that is enabled, so its viewers cannot sign in", name))
        }
        guard requestor.strictness == .compatible else { return warnings }
        if !requestor.hidesDeviceID {
            warnings.append(
                .init("a compatible requestor shows device IDs to pages; hidesDeviceID keeps them from guessers", name))
        }
        if !requestor.confirmsForeignLogins {
            warnings.append(
                .init(
                    "a compatible requestor skips the confirmation of the box; without confirmsForeignLogins false it would not",
                    name)
            )
        }
        return warnings
    }

    private static func text(of value: LogValue) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }

    package var sentence: String {
        // The part with more of the message needs no name and comes first; the file may be in it.
        var others = self.facts
        var detail = others[.detail].map(Self.text(of:))
        others[.detail] = nil
        if detail?.hasSuffix(".") == true { detail?.removeLast() }
        if let detail, let file = others[.file].map(Self.text(of:)), detail.contains(file) { others[.file] = nil }
        let facts =
            ([detail].compactMap { $0 } + others.all.map { "\($0.key.rawValue) \(Self.text(of: $0.value))" }.sorted())
            .joined(separator: ", ")
        return facts.isEmpty ? "\(self.message)" : "\(self.message) (\(facts))"
    }
}
