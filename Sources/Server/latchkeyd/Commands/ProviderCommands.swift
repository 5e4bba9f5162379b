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

    let mvpd: MVPDID
    let kind: any RemoteKind
    let configuration: Configuration

    static func all(of configuration: Configuration) -> [ChosenProvider] {
        configuration.catalogue.mvpds.compactMap { mvpd in
            (configuration.providers[mvpd.id]?.kind as? any RemoteKind).map {
                ChosenProvider(mvpd: mvpd.id, kind: $0, configuration: configuration)
            }
        }
    }

    var addresses: [String] { self.kind.addressLines(of: self.mvpd, at: self.configuration.server.publicURL) }

    static func named(_ call: CommandCall) throws -> ChosenProvider {
        let (name, configuration) = (call.arguments.operands[0], try call.configuration)
        if let kind = MVPDID(name).flatMap({ configuration.providers[$0]?.kind }), !(kind is any RemoteKind) {
            throw call.arguments.fault(
                "The provider \(name) is of kind \(type(of: kind).name). Its viewers do not sign in elsewhere, so "
                    + "there is nothing to check.")
        }
        return try call.arguments.one(
            named: name, of: Self.all(of: configuration), \.mvpd.text, orElse: "The configuration has no provider",
            " of kind oidc or saml")
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
        var code = ExitCode.success
        do throws(OperatorError) {
            let (lines, isLate) = try await chosen.kind.look(
                at: chosen.mvpd, files, clients, in: configuration, now: call.now)
            for line in lines { call.say(line) }
            if isLate { code = .configuration }
        } catch {
            for line in [error.sentence, error.advice].compactMap(\.self) { call.say(line) }
            code = error.exitCode
        }
        if code == .success, let fault = try await Self.decisionFault(chosen, files, clients, call) {
            call.say("\(chosen.mvpd): \(fault.detail).")
            code = fault.kind == .unreachable ? .unreachable : .configuration
        }
        await Self.lookAtLogos(chosen, clients, call)
        await clients.shutDown()
        return code
    }

    /// Says what is wrong with the provider's logos. Viewers sign in without them, too.
    private static func lookAtLogos(_ chosen: ChosenProvider, _ clients: ProviderClients, _ call: CommandCall) async {
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

    private static func decisionFault(
        _ chosen: ChosenProvider, _ files: [String: Secret], _ clients: ProviderClients, _ call: CommandCall
    ) async throws -> ProviderError? {
        let configuration = chosen.configuration
        guard let settings = configuration.providers[chosen.mvpd]?.point else { return nil }
        let point = try settings.point(files, clients, in: configuration)
        do throws(ProviderError) {
            try await point.tryOut(now: call.now)
            call.say("The authorization endpoint answers, and knows this server.")
            return nil
        } catch {
            return error
        }
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
        let (lineUp, doubt, metadata, viewer) = try chosen.kind.view(of: text, chosen.mvpd, hash: keys.userIDs)
        let document: JSONValue = [
            "lineUp": .array(lineUp.map { .string($0) }),
            "metadata": .object(metadata.values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }),
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
}

enum ProviderMakeKeyCommand {
    static let command = ServerCommand(
        .nothing, "make-key", "Make a private key for providers with SAML",
        discussion: [
            "Writes an RSA key in PEM to a new file that only you can read, for saml.keys. The server makes its "
                + "certificate for providers from it."
        ],
        operands: [CommandOperand("FILE", "The file to make; it must not be there yet")],
        examples: ["latchkeyd provider make-key /etc/latchkeyd/saml.pem": "once for all providers"],
        also: [.stateProblem]
    ) { arguments, call in
        guard let key = try? RSAPrivateKey.generate().pem()
        else { throw OperatorError("No key could be made.", exitCode: .stateProblem) }
        try PrivateFiles.create(arguments.operands[0], key)
        call.say("The key is in \(terminalSafe(arguments.operands[0], limit: 200)).")
    }
}
