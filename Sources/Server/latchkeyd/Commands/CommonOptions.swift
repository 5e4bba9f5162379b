import Clientless
import CommandLineTool
import Cryptography
import Entitlement

enum CommonOptions {
    static let json = CommandOption.flag("json", "One JSON value on one line, for machines")

    static let requestors = CommandOption.value(
        "requestor", "ID", "A requestor it is for; may be repeated", isRepeatable: true
    ).offering(.list("requestor list"))

    static let serverToServer = CommandOption.flag(
        "server-to-server",
        "For a programmer's server that calls for its boxes; the box's address that it forwards "
            + "is trusted")

    static let requestor = CommandOption.value("requestor", "ID", "The requestor it is about")
        .offering(.list("requestor list"))

    static let provider = CommandOption.value("provider", "ID", "The TV provider it is about")
        .offering(.list("provider list"))
}

extension CommandCall {
    func requestor() throws -> Requestor { try self.requestors()[0] }

    /// The provider that `--provider` names, one of `requestor`'s, enabled or not; `nil` when it is left out.
    func provider(of requestor: Requestor) throws -> MVPDID? {
        guard let text = self.arguments.value("provider") else { return nil }
        return try self.arguments.one(
            named: text, of: requestor.integrations.map(\.mvpd), \.text, orElse: "\(requestor.id) has no provider")
    }

    /// The values of `--requestor`, each once, all of them configured.
    func requestors() throws -> [Requestor] {
        let all = try self.configuration.catalogue.requestors
        let requestors = try self.arguments.values("requestor").eachOnce().map {
            try self.arguments.one(named: $0, of: all, \.id.text, orElse: "The configuration has no requestor")
        }
        guard !requestors.isEmpty else {
            let known = all.map(\.id.text).joined(separator: ", ")
            throw self.arguments.fault("--requestor is missing; there are \(known).")
        }
        return requestors
    }
}

extension Sequence where Element: Equatable {
    func eachOnce() -> [Element] { self.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension ParsedArguments {
    func id<ID>(_ kind: SettingKind<ID>) throws(UsageError) -> ID {
        guard let id = kind.read(.text(self.operands[0])) else {
            throw self.fault("'\(terminalSafe(self.operands[0], limit: 80))' cannot be \(kind.expects).")
        }
        return id
    }

    /// The one of several things that a word names.
    func one<Item>(
        named word: String, of all: [Item], _ name: (Item) -> String, orElse sentence: String, _ kind: String = ""
    ) throws(UsageError) -> Item {
        guard let item = all.first(where: { name($0) == word })
        else { throw self.fault(sentence, unknown: word, kind, among: all.map(name)) }
        return item
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, of place: String
    ) throws(UsageError) -> Word {
        guard let word = Word(rawValue: text) else {
            throw self.fault("\(place) takes one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return word
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(_ option: String) throws(UsageError) -> Word? {
        try self.value(option).map { (text) throws(UsageError) in try self.word(text, of: "--\(option)") }
    }

    /// The values of an option, each as a setting of that kind takes it.
    func values<Value>(_ option: String, _ kind: SettingKind<Value>) throws(UsageError) -> [Value] {
        try self.values(option).map { (text) throws(UsageError) in
            guard let value = kind.read(.text(text)) else { throw self.fault("--\(option) takes \(kind.expects).") }
            return value
        }
    }

    /// The value of an option read as a time such as `7d`, within `range`.
    func duration(_ name: String, in range: ClosedRange<Duration>, default: Duration) throws -> Duration {
        guard let text = self.value(name) else { return `default` }
        guard let duration = DurationText.read(text), range.contains(duration) else {
            let (least, most) = (DurationText.write(range.lowerBound), DurationText.write(range.upperBound))
            throw self.fault(
                "--\(name) takes a time from \(least) to \(most), such as 7d or 36h, not "
                    + "'\(terminalSafe(text, limit: 80))'.")
        }
        return duration
    }

    func resources() throws -> [Resource] { try self.values("channel").map { try self.resource($0) }.eachOnce() }

    /// A channel, or a document about one.
    func resource(_ text: String) throws(UsageError) -> Resource {
        guard let resource = try? Resource(fromWire: text) else {
            throw self.fault(
                "--channel takes a channel or an MRSS document of at most \(Resource.maximumLength) bytes.")
        }
        return resource
    }

    /// A device ID as it was typed, or from standard input for `-`, where other users of this machine do not see it.
    func device(_ text: String) throws -> DeviceID {
        let typed =
            try text == "-"
            ? StandardInput.firstLine().withBytes { String(decoding: $0, as: UTF8.self) } : text
        guard let device = DeviceID(fromWire: typed) else {
            throw self.fault("A device ID has 1 to 512 bytes and no control characters.")
        }
        return device
    }
}
