import Clientless
import Entitlement
import HTTPServer
import TextCoding

/// The resources that may be played, to show locks (rest-v1 17).
enum Preauthorization {
    private static let verdict = JSONSchema.object([
        .required("id", APIField.resourceText), .required("authorized", .flag),
        .optional("error", .named("EnhancedError")),
    ])

    static let inJSON = JSONSchema.object([.required("resources", .list(of: verdict))])
    static let inXML = JSONSchema.object([.required("resource", .list(of: verdict))])

    /// The bytes around the values. Each addition to an answer costs as much as a hundred bytes of it, so they are few.
    private struct Frame {
        /// The start, and each end of an item, hold the beginning of the next one.
        let start, permitted, denied, deniedEnd, itemEnd, end: [UInt8]
        /// How many bytes an item begins with.
        let item: Int

        private init(
            start: String, item: String, permitted: String, denied: String, itemEnd: String, end: String
        ) {
            (self.start, self.item, self.end) = (Array(start.utf8), item.utf8.count, Array(end.utf8))
            (self.denied, self.itemEnd) = (Array(denied.utf8), Array((itemEnd + item).utf8))
            (self.permitted, self.deniedEnd) = (Array(permitted.utf8) + self.itemEnd, self.denied + self.itemEnd)
        }

        static let json = Frame(
            start: #"{"resources":[{"id":""#, item: #",{"id":""#, permitted: #"","authorized":true"#,
            denied: #"","authorized":false"#, itemEnd: "}", end: "]}")
        /// The items stand below the root, without a list around them.
        static let xml = Frame(
            start: "\(XMLWriter.declaration)<resources><resource><id>", item: "<resource><id>",
            permitted: "</id><authorized>true</authorized>", denied: "</id><authorized>false</authorized>",
            itemEnd: "</resource>", end: "</resources>")
    }

    static func answer(
        _ verdicts: [Verdict], on list: ResourceList, _ style: ErrorStyle, _ format: WireFormat
    ) -> HTTPResponse {
        self.answer(verdicts.map(\.isPermit), on: list, style, format) { verdicts[$0] }
    }

    /// By way of a ``Shape``, fifty verdicts would take longer than the rest of their call.
    /// - Parameter verdict: is asked for the reason why a resource is not permitted.
    static func answer(
        _ permits: [Bool], on list: ResourceList, _ style: ErrorStyle, _ format: WireFormat,
        verdict: (Int) -> Verdict
    ) -> HTTPResponse {
        let (isJSON, frame) = (format == .json, format == .json ? Frame.json : Frame.xml)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + 64 * permits.count)
        bytes += frame.start
        for (place, isPermit) in permits.enumerated() {
            if isJSON && list.isPlain {
                bytes += list.bytes[list.names[place]]
            } else if isJSON {
                JSONText.appendContent(list.text(at: place), to: &bytes)
            } else {
                XMLText.append(list.text(at: place), in: .content, to: &bytes)
            }
            if isPermit {
                bytes += frame.permitted
            } else if let error = self.error(of: verdict(place), style) {
                bytes += frame.denied
                if isJSON {
                    bytes += #","error":"#.utf8
                    error.append(to: &bytes)
                } else {
                    XMLWriter.write("error", error, to: &bytes)
                }
                bytes += frame.itemEnd
            } else {
                bytes += frame.deniedEnd
            }
        }
        bytes.removeLast(frame.item)
        bytes += frame.end
        return Answer.bytes(bytes, format).adding("Adobe-Response-Confidence", "full")
    }

    /// Why one resource is not permitted, for those who want to know; the members in the order of rest-v1 17.
    private static func error(of verdict: @autoclosure () -> Verdict, _ style: ErrorStyle) -> JSONValue? {
        guard case .enhanced(let help, let trace) = style else { return nil }
        let verdict = verdict()
        guard case .deny(let reason) = verdict.decision else { return nil }
        let code = ErrorCode(verdict.denial)
        return .members([
            "status": 403, "code": .string(code.rawValue), "message": "User not authorized",
            "details": reason.map { .string($0) }, "helpUrl": .string(help), "trace": .string(trace.description),
            "action": .string(code.action.rawValue),
        ])
    }
}
