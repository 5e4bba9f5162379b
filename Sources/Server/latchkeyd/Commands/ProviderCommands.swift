import ClaimsMapping
import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Observability
import OpenIDConnect
import Providers
import ServerAPI

/// A provider of the configuration whose viewers sign in elsewhere.
private struct ChosenProvider {
    static let operand = CommandOperand("PROVIDER", "The ID of a provider of kind oidc or saml")

    /// A provider that is asked over the network.
    enum Kind {
        case openIDConnect(OpenIDConnectKind)
        case saml(SAMLKind)

        init?(_ kind: any ProviderKind) {
            if let kind = kind as? OpenIDConnectKind {
                self = .openIDConnect(kind)
            } else if let kind = kind as? SAMLKind {
                self = .saml(kind)
            } else {
                return nil
            }
        }
    }

    let mvpd: MVPDID
    let kind: Kind
    let configuration: Configuration

    /// All that a configuration has.
    static func all(of configuration: Configuration) -> [ChosenProvider] {
        configuration.catalogue.mvpds.compactMap { mvpd in
            configuration.providers[mvpd.id].flatMap { Kind($0.kind) }.map {
                ChosenProvider(mvpd: mvpd.id, kind: $0, configuration: configuration)
            }
        }
    }

    /// The addresses of this server that the provider has to know, a line each.
    var addresses: [String] {
        let base = self.configuration.server.publicURL
        switch self.kind {
        case .openIDConnect:
            return [
                "\(self.mvpd) has to know these addresses:",
                "  for sign-ins  \(base)/sp/login/\(self.mvpd)", "  for logouts   \(base)/sp/logout/\(self.mvpd)",
            ]
        case .saml(let kind):
            let addresses = kind.addresses(of: self.mvpd, at: base)
            return [
                "\(self.mvpd) has to know these addresses, which the document at the first one says:",
                "  of this server  \(addresses.entityID)", "  for sign-ins    \(addresses.consumer)",
                "  for logouts     \(addresses.logout)", "  by SOAP         \(addresses.soapLogout)",
            ]
        }
    }

    static func named(_ call: CommandCall) throws -> ChosenProvider {
        let (name, configuration) = (call.arguments.operands[0], try call.configuration)
        let all = Self.all(of: configuration)
        guard let found = all.first(where: { $0.mvpd.text == name }) else {
            if let kind = MVPDID(name).flatMap({ configuration.providers[$0]?.kind }) {
                throw call.arguments.fault(
                    "The provider \(name) is of kind \(type(of: kind).name). Its viewers do not sign in elsewhere, so "
                        + "there is nothing to check.")
            }
            throw call.arguments.fault(
                "The configuration has no provider", unknown: name, " of kind oidc or saml",
                among: all.map(\.mvpd.text))
        }
        return found
    }
}

enum ProviderCommands {
    static let all = [check, tryMapping]

    static let check = ServerCommand(
        .configuration, "check", "Test the connection to a TV provider, without a viewer",
        discussion: [
            "Fetches what the provider publishes, compares the clocks, makes the first request of a sign-in, shows "
                + "an OpenID provider a made-up code to learn whether it knows the client and its secret, and, if "
                + "there is an authorization endpoint, asks it without a viewer. Stops at the first fault. Also "
                + "looks at the provider's logos. At the end, also after a fault, it shows the addresses that the "
                + "provider has to know."
        ],
        operands: [ChosenProvider.operand],
        examples: ["latchkeyd provider check CableNova": "after it was configured"],
        also: [.invalidData, .unreachable, .keysUnusable]
    ) { arguments, call in
        call.exitCode = try await Self.check(try ChosenProvider.named(call), call)
    }

    /// Says what a provider has to know about this server, unless its viewers sign in here.
    static func sayAddresses(of mvpd: MVPDID, in configuration: Configuration, _ call: CommandCall) {
        let chosen = ChosenProvider.all(of: configuration).first { $0.mvpd == mvpd }
        for line in chosen?.addresses ?? [] { call.say(line) }
    }

    /// Looks at every provider.
    /// - Returns: how the first ended that is not as it should be.
    static func checkAll(of configuration: Configuration, _ call: CommandCall) async throws -> ExitCode {
        var codes: [ExitCode] = []
        for provider in ChosenProvider.all(of: configuration) { codes.append(try await Self.check(provider, call)) }
        return codes.first { $0 != .success } ?? .success
    }

    private static func check(_ chosen: ChosenProvider, _ call: CommandCall) async throws -> ExitCode {
        // The provider has to know them before anything can be as it should be.
        defer { for line in chosen.addresses { call.say(line) } }
        let configuration = chosen.configuration
        let files = try configuration.fileContents(of: chosen.mvpd)
        let clients = ProviderClients(logger: Logger.silent)
        var code: ExitCode
        switch chosen.kind {
        case .openIDConnect(let kind):
            let client = try kind.client(of: chosen.mvpd, files, clients, path: { configuration.path($0) })
            code = await Self.check(client, chosen, call)
        case .saml(let kind):
            let client = try kind.client(
                of: chosen.mvpd, files, clients, at: configuration.server.publicURL,
                path: { configuration.path($0) })
            code = await SAMLCheck(mvpd: chosen.mvpd, client: client, now: call.now).run(call)
        }
        if code == .success, let fault = try await Self.decisionFault(chosen, files, clients, call) {
            call.say("\(chosen.mvpd): \(fault.detail).")
            code = fault.kind == .unreachable ? .unreachable : .configuration
        }
        await Self.lookAtLogos(chosen, clients, call)
        await clients.shutDown()
        return code
    }

    private static func check(
        _ client: OpenIDConnectClient, _ chosen: ChosenProvider, _ call: CommandCall
    ) async -> ExitCode {
        let base = chosen.configuration.server.publicURL
        do throws(OpenIDConnectFault) {
            let (lines, isLate) = try await Self.look(client, callback: "\(base)/sp/login/\(chosen.mvpd)")
            for line in lines { call.say(line) }
            return isLate ? .configuration : .success
        } catch {
            call.say(Self.sentence(chosen.mvpd, error, isGarbage: error.isGarbage))
            let keys = error.step == .keys ? try? await client.metadata().keysAddress.text : nil
            if let address = error.step == .discovery ? client.metadataAddress : keys {
                call.say("It was asked at \(address).")
            }
            return Self.exitCode(isUnreachable: error.trouble == .unreachable, isGarbage: error.isGarbage)
        }
    }

    /// The fault of a provider: an answer of something else, such as a page for people, is not silence.
    static func sentence(_ mvpd: MVPDID, _ fault: some Error, isGarbage: Bool) -> String {
        isGarbage ? "\(mvpd) answers, but not with what was asked for: \(fault)." : "\(mvpd): \(fault)."
    }

    static func exitCode(isUnreachable: Bool, isGarbage: Bool) -> ExitCode {
        if isGarbage { return .invalidData }
        return isUnreachable ? .unreachable : .configuration
    }

    /// The remark about the provider's clock.
    /// - Parameter difference: how far it is ahead of this server's; `nil` when the provider does not say.
    static func clocks(apart difference: Duration?, leeway: Duration) -> String {
        guard let difference else { return "It does not say what time it is." }
        let apart = difference < .zero ? .zero - difference : difference
        guard apart > Self.clockTolerance else { return "Its clock and this server's agree." }
        let told = "\(apart.components.seconds) s \(difference > .zero ? "ahead of" : "behind") this server's"
        return "Its clock is \(told)\(Self.isOff(difference, leeway) ? "; no sign-in works so" : "")."
    }

    /// Whether clocks are so far apart that no sign-in works.
    static func isOff(_ difference: Duration?, _ leeway: Duration) -> Bool {
        difference.map { !(Duration.zero - leeway...leeway).contains($0) } ?? false
    }

    /// How far clocks may be apart before it is said.
    private static let clockTolerance: Duration = .seconds(30)

    /// Says what is wrong with the provider's logos. Viewers sign in without them, too.
    private static func lookAtLogos(
        _ chosen: ChosenProvider, _ clients: ProviderClients, _ call: CommandCall
    ) async {
        let reader = LogoReader(exchange: clients.exchange(ProviderClients.Transport()))
        for (place, source) in chosen.configuration.logoSources where place.mvpd == chosen.mvpd {
            let whose = place.requestor.map { "The logo for \($0)" } ?? "The logo"
            do throws(LogoFault) {
                _ = try await reader.picture(from: source)
                call.say("\(whose) can be shown.")
            } catch {
                call.say("\(whose) is one that no page can show: \(error).")
            }
        }
    }

    /// Tries the authorization endpoint, if there is one.
    private static func decisionFault(
        _ chosen: ChosenProvider, _ files: [String: Secret], _ clients: ProviderClients, _ call: CommandCall
    ) async throws -> ProviderError? {
        let configuration = chosen.configuration
        guard let settings = configuration.providers[chosen.mvpd]?.point else { return nil }
        let point = try settings.point(files, clients, at: configuration.server.publicURL) {
            configuration.path($0)
        }
        do throws(ProviderError) {
            try await point.tryOut(now: call.now)
            call.say("The authorization endpoint answers, and knows this server.")
            return nil
        } catch {
            return error
        }
    }

    /// The findings, a sentence each, and whether no sign-in works although all answers are as they should be.
    private static func look(
        _ client: OpenIDConnectClient, callback: String
    ) async throws(OpenIDConnectFault) -> (lines: [String], isLate: Bool) {
        let metadata = try await client.metadata()
        try await client.refreshDocuments()
        let keys = try await client.keyCount()
        guard keys > 0 else { throw OpenIDConnectFault(.keys, .field("every key for signatures")) }
        var lines = ["\(metadata.issuer) answers, and publishes \(keys == 1 ? "1 key" : "\(keys) keys")."]
        let difference = try await client.clockDifference()
        lines.append(Self.clocks(apart: difference, leeway: client.settings.leeway))
        let method = client.registration.authentication.method
        if method != .none, !metadata.authenticationMethods.contains(method) {
            let others = metadata.authenticationMethods.map(\.rawValue).sorted().joined(separator: ", ")
            let end = others.isEmpty ? "." : ", but only \(others)."
            lines.append("It does not say that it takes \(method.rawValue)\(end)")
        }
        if metadata.codeChallengeMethods == nil { lines.append("It does not say that it knows PKCE.") }
        _ = try await client.begin(redirectAddress: callback, state: "check")
        if metadata.pushedAuthorizationEndpoint != nil, client.registration.pushesRequests {
            lines.append("It took a pushed request, so it knows this server.")
        } else {
            let isKnown = try await client.isKnown(redirectAddress: callback)
            lines.append(
                isKnown
                    ? "It knows this server: it refused a made-up code, and not the client."
                    : "It does not say whether it knows this server: its answer to a made-up code names neither.")
        }
        lines.append(
            "Logout: \(metadata.endSessionEndpoint == nil ? "not in the browser" : "in the browser")"
                + (metadata.sendsBackChannelLogout ? ", and it tells this server." : "."))
        return (lines, Self.isOff(difference, client.settings.leeway))
    }

    static let tryMapping = ServerCommand(
        .store, "try-mapping", "Show which metadata the claims of a viewer become",
        discussion: [
            "Reads the claims from standard input: a JSON object or a token; for SAML, a response or an assertion "
                + "in XML, without encryption. The command does not check signatures. A token is a secret."
        ],
        operands: [ChosenProvider.operand],
        examples: [
            "latchkeyd provider try-mapping CableNova <claims.json": "after its mapping was written"
        ], also: [.invalidData]
    ) { arguments, call in
        let chosen = try ChosenProvider.named(call)
        let folder = chosen.configuration.keyFolder
        let keys = try folder.load(now: call.now).serverKeys
        let text = try StandardInput.text(limit: SignedToken.maximumSize)
        let (lineUp, doubt, metadata, viewer) = try Self.view(of: text, chosen, hash: keys.userIDs)
        let document: JSONValue = [
            "lineUp": .array(lineUp.map { .string($0) }),
            "metadata": .object(
                metadata.values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }),
        ]
        try call.result(document.text)
        if lineUp.isEmpty {
            let reason = doubt.map { terminalSafe($0) } ?? "the claims have nothing for the line-up"
            call.say("The viewer may play nothing: \(reason).")
        }
        if let viewer { call.say(viewer) }
        for key in metadata.missing { call.say("\(key): the claims have nothing for it.") }
        for key in metadata.costly { call.say("\(key): the pattern costs too much with one of the texts.") }
    }

    /// - Returns: also what there is to say of who the viewer is.
    private static func view(
        of text: String, _ chosen: ChosenProvider, hash: KeyedHash
    ) throws(OperatorError) -> (lineUp: [String], doubt: String?, metadata: MetadataMapping.Result, viewer: String?) {
        switch chosen.kind {
        case .openIDConnect(let kind):
            let rules = try kind.rules(of: chosen.mvpd, hash: hash)
            guard let claims = Self.claims(text) else {
                throw OperatorError("Standard input is neither an object in JSON nor a token.", exitCode: .invalidData)
            }
            let view = OpenIDConnectProvider.view(of: claims, rules)
            return (view.lineUp, view.doubt, view.metadata, nil)
        case .saml(let kind):
            let rules = try kind.rules(of: chosen.mvpd, hash: hash)
            guard let (name, attributes) = SourceAttributes.unverified(in: Array(text.utf8)) else {
                throw OperatorError(
                    "Standard input is neither a response of SAML nor an assertion, in clear.", exitCode: .invalidData)
            }
            let view = SAMLProvider.view(of: attributes, name: name, rules)
            return (
                view.lineUp, view.doubt, view.metadata,
                view.viewer == nil ? "The viewer: there is no attribute that says who it is." : nil
            )
        }
    }

    /// The object itself, or what is in a token.
    private static func claims(_ text: String) -> JSONValue? {
        if let claims = ForeignJSON.object(Array(text.utf8), limit: SignedToken.maximumSize) { return claims }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decodeURL(parts[1]) else { return nil }
        return ForeignJSON.object(payload, limit: SignedToken.maximumSize)
    }
}
