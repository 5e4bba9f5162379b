import JSON5
import Clientless
import CommandLineTool
import Cryptography
import Entitlement

/// Options and readings that several commands share.
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

    /// The requestor that `--requestor` names.
    static func requestor(_ arguments: ParsedArguments, of catalogue: Catalogue) throws -> Requestor {
        let id = try Self.requestors(arguments, of: catalogue)[0]
        guard let requestor = catalogue.requestor(id) else { preconditionFailure("the catalogue was just asked") }
        return requestor
    }

    /// The provider that `--provider` names, one of `requestor`'s, enabled or not; `nil` when it is left out.
    static func provider(_ arguments: ParsedArguments, of requestor: Requestor) throws -> MVPDID? {
        guard let text = arguments.value("provider") else { return nil }
        let known = requestor.integrations.map(\.mvpd)
        guard let id = known.first(where: { $0.text == text }) else {
            throw arguments.fault("\(requestor.id) has no provider", unknown: text, among: known.map(\.text))
        }
        return id
    }

    /// The values of `--requestor`, each once, all of them configured.
    static func requestors(_ arguments: ParsedArguments, of catalogue: Catalogue) throws -> [RequestorID] {
        let known = catalogue.requestors.map(\.id.text)
        var requestors: [RequestorID] = []
        for text in arguments.values("requestor") {
            guard let id = RequestorID(text), catalogue.requestor(id) != nil else {
                throw arguments.fault("The configuration has no requestor", unknown: text, among: known)
            }
            if !requestors.contains(id) { requestors.append(id) }
        }
        guard !requestors.isEmpty else {
            throw arguments.fault("--requestor is missing; there are \(known.joined(separator: ", ")).")
        }
        return requestors
    }

    /// The value of an option read as a time such as `7d`, within `range`.
    static func duration(
        _ name: String, in range: ClosedRange<Duration>, default: Duration, _ arguments: ParsedArguments
    ) throws -> Duration {
        guard let text = arguments.value(name) else { return `default` }
        guard let duration = DurationText.read(text), range.contains(duration) else {
            let (least, most) = (DurationText.write(range.lowerBound), DurationText.write(range.upperBound))
            throw arguments.fault(
                "--\(name) takes a time from \(least) to \(most), such as 7d or 36h, not "
                    + "'\(terminalSafe(text, limit: 80))'.")
        }
        return duration
    }

    /// The values of `--channel`, each once.
    static func resources(_ arguments: ParsedArguments) throws -> [Resource] {
        var resources: [Resource] = []
        for text in arguments.values("channel") {
            guard let resource = try? Resource(fromWire: text) else {
                throw arguments.fault(
                    "--channel takes a channel or an MRSS document of at most \(Resource.maximumLength) bytes.")
            }
            if !resources.contains(resource) { resources.append(resource) }
        }
        return resources
    }

    /// A device ID as it was typed, or from standard input for `-`, where other users of this machine do not see it.
    static func device(_ text: String, _ arguments: ParsedArguments) throws -> DeviceID {
        let typed: String
        if text == "-" {
            typed = try StandardInput.firstLine(limit: 4096).withBytes { String(decoding: $0, as: UTF8.self) }
        } else {
            typed = text
        }
        guard let device = DeviceID(fromWire: typed) else {
            throw arguments.fault("A device ID has 1 to 512 bytes and no control characters.")
        }
        return device
    }
}
