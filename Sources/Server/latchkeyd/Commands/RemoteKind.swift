import ClaimsMapping
import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import OpenIDConnect
import Providers

/// A kind of provider that is asked over the network, so that it can be tried without a viewer.
protocol RemoteKind: ProviderKind {
    /// The addresses of this server that the provider has to know, a line each.
    func addressLines(of mvpd: MVPDID, at publicURL: String) -> [String]

    /// - Returns: the findings, a sentence each, and whether no sign-in works although all answers are as they should be.
    func look(
        at mvpd: MVPDID, _ files: [String: Secret], _ clients: ProviderClients, in configuration: Configuration,
        now: Timestamp
    ) async throws(OperatorError) -> (lines: [String], isLate: Bool)

    /// The view that a text with claims gives of a viewer.
    /// - Returns: also what there is to say of who the viewer is.
    func view(
        of text: String, _ mvpd: MVPDID, hash: KeyedHash
    ) throws(OperatorError) -> (lineUp: [String], doubt: String?, metadata: MetadataMapping.Result, viewer: String?)
}

extension RemoteKind {
    /// How far clocks may be apart before it is said.
    private static var clockTolerance: Duration { .seconds(30) }

    /// The fault of a provider: an answer of something else, such as a page for people, is not silence.
    fileprivate static func fault(
        _ mvpd: MVPDID, _ fault: some Error, isUnreachable: Bool, isGarbage: Bool, askedAt address: String? = nil
    ) -> OperatorError {
        OperatorError(
            isGarbage ? "\(mvpd) answers, but not with what was asked for: \(fault)." : "\(mvpd): \(fault).",
            advice: address.map { "It was asked at \($0)." },
            exitCode: isGarbage ? .invalidData : isUnreachable ? .unreachable : .configuration)
    }

    /// - Parameter difference: how far it is ahead of this server's; `nil` when the provider does not say.
    fileprivate static func clocks(apart difference: Duration?, leeway: Duration) -> String {
        guard let difference else { return "It does not say what time it is." }
        let apart = difference < .zero ? .zero - difference : difference
        guard apart > Self.clockTolerance else { return "Its clock and this server's agree." }
        let told = "\(apart.components.seconds) s \(difference > .zero ? "ahead of" : "behind") this server's"
        return "Its clock is \(told)\(Self.isOff(difference, leeway) ? "; no sign-in works so" : "")."
    }

    /// Whether clocks are so far apart that no sign-in works.
    fileprivate static func isOff(_ difference: Duration?, _ leeway: Duration) -> Bool {
        difference.map { !(Duration.zero - leeway...leeway).contains($0) } ?? false
    }
}

extension OpenIDConnectKind: RemoteKind {
    func addressLines(of mvpd: MVPDID, at publicURL: String) -> [String] {
        [
            "\(mvpd) has to know these addresses:", "  for sign-ins  \(publicURL)/sp/login/\(mvpd)",
            "  for logouts   \(publicURL)/sp/logout/\(mvpd)",
        ]
    }

    func look(
        at mvpd: MVPDID, _ files: [String: Secret], _ clients: ProviderClients, in configuration: Configuration,
        now: Timestamp
    ) async throws(OperatorError) -> (lines: [String], isLate: Bool) {
        let client = try self.client(of: mvpd, files, clients, in: configuration)
        do throws(OpenIDConnectFault) {
            return try await Self.findings(client, callback: "\(configuration.server.publicURL)/sp/login/\(mvpd)")
        } catch {
            let keys = error.step == .keys ? try? await client.metadata().keysAddress.text : nil
            throw Self.fault(
                mvpd, error, isUnreachable: error.trouble == .unreachable, isGarbage: error.isGarbage,
                askedAt: error.step == .discovery ? client.settings.metadataAddress : keys)
        }
    }

    private static func findings(
        _ client: OpenIDConnectClient, callback: String
    ) async throws(OpenIDConnectFault) -> (lines: [String], isLate: Bool) {
        let metadata = try await client.metadata()
        try await client.refreshDocuments()
        let keys = try await client.keyCount()
        guard keys > 0 else { throw OpenIDConnectFault(.keys, .field("every key for signatures")) }
        var lines = ["\(metadata.issuer) answers, and publishes \(keys == 1 ? "1 key" : "\(keys) keys")."]
        let difference = try await client.clockDifference()
        lines.append(Self.clocks(apart: difference, leeway: IDTokenRules.leeway))
        let method = client.settings.authentication.method
        if method != .none, !metadata.authenticationMethods.contains(method) {
            let others = metadata.authenticationMethods.map(\.rawValue).sorted().joined(separator: ", ")
            let end = others.isEmpty ? "." : ", but only \(others)."
            lines.append("It does not say that it takes \(method.rawValue)\(end)")
        }
        if metadata.codeChallengeMethods == nil { lines.append("It does not say that it knows PKCE.") }
        _ = try await client.begin(redirectAddress: callback, state: "check")
        if metadata.pushedAuthorizationEndpoint != nil, client.settings.pushesRequests {
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
        return (lines, Self.isOff(difference, IDTokenRules.leeway))
    }

    func view(
        of text: String, _ mvpd: MVPDID, hash: KeyedHash
    ) throws(OperatorError) -> (lineUp: [String], doubt: String?, metadata: MetadataMapping.Result, viewer: String?) {
        let rules = try self.rules(of: mvpd, hash: hash)
        // The object itself, or what is in a token.
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let payload = parts.count == 3 ? Base64.decodeURL(parts[1]) : nil
        guard let claims = ForeignJSON.object(payload ?? Array(text.utf8), limit: SignedToken.maximumSize) else {
            throw OperatorError("Standard input is neither an object in JSON nor a token.", exitCode: .invalidData)
        }
        let view = OpenIDConnectProvider.view(of: claims, rules)
        return (view.lineUp, view.doubt, view.metadata, nil)
    }
}

extension SAMLKind: RemoteKind {
    func addressLines(of mvpd: MVPDID, at publicURL: String) -> [String] {
        let addresses = self.addresses(of: mvpd, at: publicURL)
        return [
            "\(mvpd) has to know these addresses, which the document at the first one says:",
            "  of this server  \(addresses.entityID)", "  for sign-ins    \(addresses.consumer)",
            "  for logouts     \(addresses.logout)", "  by SOAP         \(addresses.soapLogout)",
        ]
    }

    func look(
        at mvpd: MVPDID, _ files: [String: Secret], _ clients: ProviderClients, in configuration: Configuration,
        now: Timestamp
    ) async throws(OperatorError) -> (lines: [String], isLate: Bool) {
        let client = try self.client(of: mvpd, files, clients, in: configuration)
        do throws(AssertionFault) {
            return try await Self.findings(client, now: now)
        } catch {
            // A file that the operator named is a fault of the configuration.
            var isGarbage = error.isGarbage
            if case .document = client.settings.source { isGarbage = false }
            throw Self.fault(mvpd, error, isUnreachable: error.isUnreachable, isGarbage: isGarbage)
        }
    }

    private static func findings(
        _ client: SAMLClient, now: Timestamp
    ) async throws(AssertionFault) -> (lines: [String], isLate: Bool) {
        let metadata = try await client.metadata()
        let isSigned = client.settings.metadataRules.signer != nil
        var lines = ["The metadata of \(metadata.entityID) can be read\(isSigned ? ", and are signed" : "")."]
        if let end = metadata.validUntil {
            lines.append("They count until \(end.timeText), \((end - now).components.seconds / 3600) hours.")
        }
        var isLate = false
        if case .address = client.settings.source {
            let difference = try await client.clockDifference()
            isLate = Self.isOff(difference, SAMLClient.leeway)
            lines.append(Self.clocks(apart: difference, leeway: SAMLClient.leeway))
        }
        _ = try await client.begin(reference: "check")
        let ways = metadata.bindings.map { $0 == .redirect ? "a redirect" : "a form" }
        lines.append("A signed request can be made; it was not sent. It takes \(ways.joined(separator: " or ")).")
        lines.append("Logout: \(metadata.signsViewersOut ? "it takes requests." : "it has no address for that.")")
        return (lines, isLate)
    }

    func view(
        of text: String, _ mvpd: MVPDID, hash: KeyedHash
    ) throws(OperatorError) -> (lineUp: [String], doubt: String?, metadata: MetadataMapping.Result, viewer: String?) {
        let rules = try self.rules(of: mvpd, hash: hash)
        guard let (name, attributes) = SourceAttributes.unverified(in: Array(text.utf8)) else {
            throw OperatorError(
                "Standard input is neither a response of SAML nor an assertion, in clear.", exitCode: .invalidData)
        }
        let view = SAMLProvider.view(of: attributes, name: name, rules)
        let doubt = view.viewer == nil ? "The viewer: there is no attribute that says who it is." : nil
        return (view.lineUp, view.doubt, view.metadata, doubt)
    }
}
