import FoundationEssentials
import HTTPServer

/// A flat JSON object read as if it were form pairs (rest-v1 3.3).
enum JSONObjectParameters {
    private static let maximumMembers = 64

    /// Whether the request says that its body is JSON and has one.
    static func isJSON(_ request: HTTPRequest) -> Bool {
        guard !request.body.isEmpty, let type = request.headers["Content-Type"] else { return false }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        return essence.elementsEqual("application/json".utf8, by: { $0 | 0x20 == $1 | 0x20 })
    }

    /// The members that are texts, numbers or flags, as pairs in no particular order.
    /// - Returns: `nil` when the body is no such object.
    static func read(_ body: [UInt8]) -> HTTPParameters? {
        guard let members = try? JSONDecoder().decode([String: Scalar].self, from: Data(body)),
            members.count <= self.maximumMembers
        else { return nil }
        return HTTPParameters(pairs: members.compactMap { name, value in value.text.map { (name: name, value: $0) } })
    }

    private struct Scalar: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self.text = flag ? "true" : "false"
            } else if let number = try? container.decode(Int64.self) {
                self.text = String(number)
            } else if let number = try? container.decode(Double.self) {
                self.text = String(number)
            } else {
                self.text = try? container.decode(String.self)
            }
        }
    }
}
