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
        let start, item, permitted, denied, itemEnd, end: [UInt8]

        static let json = Frame(
            start: Array("{\"resources\":[".utf8), item: Array(",{\"id\":\"".utf8),
            permitted: Array("\",\"authorized\":true".utf8), denied: Array("\",\"authorized\":false".utf8),
            itemEnd: Array("}".utf8), end: Array("]}".utf8))
        /// The items stand below the root, without a list around them.
        static let xml = Frame(
            start: Array("\(XMLWriter.declaration)<resources>".utf8), item: Array("<resource><id>".utf8),
            permitted: Array("</id><authorized>true</authorized>".utf8),
            denied: Array("</id><authorized>false</authorized>".utf8), itemEnd: Array("</resource>".utf8),
            end: Array("</resources>".utf8))
    }

    /// By way of a ``Shape``, fifty verdicts would take longer than the rest of their call.
    static func answer(
        _ verdicts: [Verdict], on resources: [Resource], _ style: ErrorStyle, _ format: WireFormat
    ) -> HTTPResponse {
        let (isJSON, frame) = (format == .json, format == .json ? Frame.json : Frame.xml)
        var bytes = frame.start
        bytes.reserveCapacity(128 + 64 * resources.count)
        for (place, (resource, verdict)) in zip(resources, verdicts).enumerated() {
            bytes += isJSON && place == 0 ? frame.item[1...] : frame.item[...]
            if isJSON {
                JSONText.appendContent(resource.received, to: &bytes)
            } else {
                XMLText.append(resource.received, in: .content, to: &bytes)
            }
            bytes += verdict.isPermit ? frame.permitted : frame.denied
            if let error = self.error(of: verdict, style) {
                if isJSON {
                    bytes += ",\"error\":".utf8
                    error.append(to: &bytes)
                } else {
                    XMLWriter.write("error", error, to: &bytes)
                }
            }
            bytes += frame.itemEnd
        }
        bytes += frame.end
        return Answer.bytes(bytes, format).adding("Adobe-Response-Confidence", "full")
    }

    /// Why one resource is not permitted, for those who want to know; the members in the order of rest-v1 17.
    private static func error(of verdict: Verdict, _ style: ErrorStyle) -> JSONValue? {
        guard case .enhanced(let help, let trace) = style, case .deny(let reason) = verdict.decision
        else { return nil }
        let code = ErrorCode(verdict.denial)
        return .members([
            "status": 403, "code": .string(code.rawValue), "message": "User not authorized",
            "details": reason.map { .string($0.text) }, "helpUrl": .string(help), "trace": .string(trace.description),
            "action": .string(code.action.rawValue),
        ])
    }
}
