import Clientless
import CommandLineTool
import Entitlement

private enum ViewerChannels {
    static let channels = CommandOperand("CHANNEL", "A channel, as boxes ask for it", count: .any)
    static let everyChannel = CommandOption.flag("every-channel", "Everything, instead of single channels")

    /// Changes what a viewer may play, and says what that is now.
    static func change(_ call: CommandCall, _ change: ([String]) throws -> [String]) async throws {
        let account = try await call.account()
        let lineUp = try change(account.lineUp)
        if lineUp != account.lineUp {
            guard try await call.accounts.setLineUp(lineUp, of: account, actor: CommandActor.text, now: call.now)
            else { throw Users.changedMeanwhile(account.name, account.mvpd) }
        }
        let channels = lineUp.map { terminalSafe($0, limit: 80) }.joined(separator: ", ")
        call.say(
            "\(terminalSafe(account.name)) of \(account.mvpd) may play "
                + (lineUp.isEmpty ? "nothing." : lineUp == ["*"] ? "everything." : "\(channels)."))
    }

    /// The channels of the command line; `nil` for all there are.
    static func given(_ arguments: ParsedArguments) throws(UsageError) -> [String]? {
        let texts = Array(arguments.operands.dropFirst())
        guard !texts.isEmpty || arguments.has(Self.everyChannel.name) else {
            throw arguments.fault("CHANNEL or --every-channel is missing.")
        }
        return try Users.channels(texts, of: Self.channels.name, arguments)
    }
}

enum UserChannelCommands {
    static let group = ServerCommand(group: "channels", "The channels that a viewer may play", [add, remove])

    static let add = ServerCommand(
        .store, "add", "Let a viewer play further channels",
        discussion: ["Boxes that are signed in may play them at once."],
        options: [Users.provider, ViewerChannels.everyChannel],
        operands: [Users.nameOperand, ViewerChannels.channels],
        examples: ["latchkeyd user channels add anna 'North Sport HD'": "one more"], also: [.failure]
    ) { arguments, call in
        let given = try ViewerChannels.given(arguments)
        try await Users.warnOfMisspelling(given ?? [], call)
        try await ViewerChannels.change(call) { lineUp in
            guard let given else { return ["*"] }
            // Everything includes them.
            guard lineUp != ["*"] else { return lineUp }
            return lineUp + given.filter { !lineUp.contains($0) }
        }
    }

    static let remove = ServerCommand(
        .store, "remove", "Take channels from a viewer",
        discussion: [
            "A box that has a permit for such a channel keeps it until it expires, usually for a day. "
                + "'latchkeyd sign-ins end --viewer' ends it at once and signs the viewer's boxes out, and "
                + "'latchkeyd boxes sign-out' does so for one box."
        ],
        options: [Users.provider, ViewerChannels.everyChannel],
        operands: [Users.nameOperand, ViewerChannels.channels],
        examples: ["latchkeyd user channels remove anna 'North Sport HD'": "one less"],
        also: [.failure]
    ) { arguments, call in
        let given = try ViewerChannels.given(arguments)
        try await ViewerChannels.change(call) { lineUp in
            guard let given else { return [] }
            guard lineUp != ["*"] else {
                throw OperatorError(
                    "The viewer may play everything, so that no single channel can be taken away.",
                    advice: "Take everything with --every-channel, then add what stays.")
            }
            if let missing = given.first(where: { !lineUp.contains($0) }) {
                throw OperatorError(
                    "The viewer has no channel '\(terminalSafe(missing, limit: 80))'.",
                    advice: "Nothing was changed. 'latchkeyd user list' shows what viewers may play.")
            }
            return lineUp.filter { !given.contains($0) }
        }
        let provider = try call.localProvider()
        let catalogue = try call.configuration.catalogue
        let lifetimes = catalogue.requestors.compactMap {
            catalogue.integration($0.id, provider)?.authorizationLifetime
        }
        guard let longest = lifetimes.max() else { return }
        call.say(
            "Boxes that already have a permit may play until it ends, at most until \((call.now + longest).timeText). "
                + "'latchkeyd sign-ins end --viewer \(terminalSafe(try Users.name(arguments)))' ends it at once and "
                + "signs them out.")
    }
}
