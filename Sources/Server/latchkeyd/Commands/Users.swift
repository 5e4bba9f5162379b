import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import Providers

enum Users {
    static let provider = CommandOption.value(
        "provider", "ID", "The TV provider; may be left out when there is only one of kind local"
    ).offering(.list("provider list"))
    static let passwordFile = CommandOption.value(
        "password-file", "FILE", "Read the password from the first line of this file; - is standard input")
    static let nameOperand = CommandOperand("NAME", "The name that the viewer types to sign in")

    static func name(_ arguments: ParsedArguments) throws -> String {
        guard let name = AccountName.canonical(arguments.operands[0]) else {
            throw arguments.fault("A name has 1 to 64 bytes, no spaces and no control characters.")
        }
        return name
    }

    /// The channels of the command line, each once; `nil` for all there are.
    /// - Parameter place: what the words stand behind, such as `--channel`.
    static func channels(
        _ texts: [String], of place: String, _ arguments: ParsedArguments
    ) throws(UsageError) -> [String]? {
        guard !arguments.has("every-channel") else {
            guard texts.isEmpty else { throw arguments.fault("\(place) and --every-channel do not go together.") }
            return nil
        }
        return try texts.map { (text) throws(UsageError) in
            guard let resource = try? Resource(fromWire: text), resource.text != "*" else {
                throw arguments.fault(
                    "\(place) takes a resource of at most \(Resource.maximumLength) bytes, or a whole MRSS document where it "
                        + "begins with <; for all of them there is --every-channel.")
            }
            return resource.text
        }.eachOnce()
    }

    /// Names the channels that viewers have, for each new one that only resembles them, and those that look like several in
    /// one. None is refused.
    /// - Parameter lines: where each channel stands in a table; empty for those of a command line.
    static func warnOfMisspelling(_ channels: [String], _ call: CommandCall, lines: [String: Int] = [:]) async throws {
        let known = Set(try await call.accounts.all().flatMap(\.lineUp)).subtracting(["*"])
        let all = channels.joined(separator: " ")
        if lines.isEmpty, channels.count > 1, let near = Self.channel(like: all, among: known.sorted()) {
            call.say(
                "warning: viewers have \(near). A channel with spaces needs quotes around it: '\(terminalSafe(all))'.")
        }
        for channel in channels.prefix(1000) {
            let (line, name) = (lines[channel].map { "line \($0): " } ?? "", "'\(terminalSafe(channel, limit: 80))'")
            if !known.contains(channel), let near = Self.channel(like: channel, among: known.sorted()) {
                call.say(
                    "warning: \(line)no viewer had \(name) before, but some have \(near). Boxes have to ask for a "
                        + "channel by exactly this name.")
            }
            if !channel.hasPrefix("<"), channel.contains(where: { $0 == ";" || $0 == "," }) {
                call.say(
                    "warning: \(line)\(name) counts as one channel. Several are given one by one, and in a table with | "
                        + "between them.")
            }
        }
    }

    /// The channel that resembles another one, in quotes, and how it differs if that is not seen on a terminal.
    static func channel(like channel: String, among channels: [String]) -> String? {
        func words(_ channel: String) -> [Substring] { channel.lowercased().split(whereSeparator: \.isWhitespace) }
        return nearestName(to: channel, among: channels).map { near in
            let isHidden = near != channel && words(near) == words(channel)
            return "'\(terminalSafe(near, limit: 80))'"
                + (isHidden ? ", which differs only in spaces or capital letters" : "")
        }
    }

    static func unknown(_ name: String, _ provider: MVPDID) -> OperatorError {
        OperatorError(
            "There is no viewer \(terminalSafe(name)) of \(provider).",
            advice: "'latchkeyd user list' shows all of them.")
    }

    static func changedMeanwhile(_ name: String, _ provider: MVPDID) -> OperatorError {
        OperatorError(
            "The viewer \(terminalSafe(name)) of \(provider) was changed by another command meanwhile.",
            advice: "Nothing was changed by this one; try again.")
    }

    /// The hash of the password that a file, standard input or the person at the terminal gives.
    static func passwordHash(_ call: CommandCall) throws -> String {
        let password = try Self.password(call)
        let hash = try Self.hash(password)
        if Self.isShort(password) { call.say("warning: a password of fewer than 8 characters is easy to guess.") }
        return hash
    }

    static func hash(_ password: Secret) throws(OperatorError) -> String {
        do {
            return try PasswordHash.make(password).text
        } catch {
            guard error.code == .unfit else {
                throw OperatorError("The password cannot be hashed: \(error.detail).", exitCode: .internalError)
            }
            throw OperatorError(
                Self.passwordRule,
                advice: "Nothing was changed. A password is the first line of --password-file FILE, of standard input, "
                    + "or what is typed on the terminal.", exitCode: .invalidData)
        }
    }

    /// Whether a password deserves a warning. None is refused for it: providers have rules of their own.
    static func isShort(_ password: Secret) -> Bool { password.count < 8 }

    static var passwordRule: String {
        let lengths = PasswordHash.passwordLength
        return "A password has \(lengths.lowerBound) to \(lengths.upperBound) bytes of UTF-8, and no zero byte."
    }

    private static func password(_ call: CommandCall) throws -> Secret {
        if let file = call.arguments.value("password-file"), file != "-" {
            return StandardInput.firstLine(of: try PrivateFiles.read(file, limit: StandardInput.longestLine))
        }
        let prompt = "\(Self.passwordRule) Twelve characters or more are hard to guess.\nPassword (not shown): "
        return try TerminalPrompt.newSecret(
            prompt, call.context.console, "passwords", "Nothing was changed.") ?? StandardInput.firstLine()
    }
}

extension CommandCall {
    /// The provider that `--provider` names, or the only one with accounts of its own.
    func localProvider() throws -> MVPDID {
        let (arguments, configuration) = (self.arguments, try self.configuration)
        let local = configuration.catalogue.mvpds.map(\.id).filter { configuration.providers[$0]?.kind is LocalKind }
        if let text = arguments.value("provider") {
            return try arguments.one(
                named: text, of: local, \.text, orElse: "The configuration has no provider", " of kind local")
        }
        guard local.count == 1 else {
            let names = local.isEmpty ? "none is configured" : "there are \(local.map(\.text).joined(separator: ", "))"
            throw arguments.fault("--provider is missing; \(names).")
        }
        return local[0]
    }

    var accounts: Accounts { get async throws { try await self.administration.accounts } }

    func account() async throws -> Account {
        let (name, accounts) = (try Users.name(self.arguments), try await self.accounts)
        let provider = try self.localProvider()
        guard let account = try await accounts.account(name, of: provider) else { throw Users.unknown(name, provider) }
        return account
    }
}
