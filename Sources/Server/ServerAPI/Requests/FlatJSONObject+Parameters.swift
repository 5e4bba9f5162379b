import Clientless
import HTTPServer

extension FlatJSONObject {
    /// The members that are texts, numbers or flags, as pairs of a form.
    var parameters: HTTPParameters {
        HTTPParameters(
            pairs: self.members.compactMap { name, value in
                switch value {
                case .text(let text), .number(let text): (name, text)
                case .flag(let flag): (name, flag ? "true" : "false")
                case .null, .compound: nil
                }
            })
    }

    /// Whether the request says that its body is JSON and has one.
    static func isBody(of request: HTTPRequest) -> Bool {
        guard !request.body.isEmpty, let type = request.headers["Content-Type"] else { return false }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        return essence.elementsEqual("application/json".utf8, by: { $0 | 0x20 == $1 | 0x20 })
    }
}
