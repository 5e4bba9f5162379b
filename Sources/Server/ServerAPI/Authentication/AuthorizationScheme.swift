import HTTPServer

/// How a call says who makes it (rest-v1 7.6).
enum AuthorizationScheme {
    /// The value of `Authorization` when it begins with an HTTP verb and is signed.
    case signedRequest(String)
    case bearer(String)
    case emptyBearer
    /// Header and parameter name different tokens.
    case contradiction
    /// Nothing, or a scheme this server does not know.
    case none

    init(_ request: HTTPRequest, _ parameters: HTTPParameters) {
        guard let header = request.headers["Authorization"] else {
            self = Self.fromBearer(header: nil, parameter: parameters["access_token"])
            return
        }
        if let scheme = header.utf8.first, scheme | 0x20 == UInt8(ascii: "b"), let token = Self.bearerToken(header) {
            self = Self.fromBearer(header: token, parameter: parameters["access_token"])
        } else if Self.looksSigned(header) {
            self = .signedRequest(header)
        } else {
            self = Self.fromBearer(header: nil, parameter: parameters["access_token"])
        }
    }

    private static func fromBearer(header: String?, parameter: String?) -> AuthorizationScheme {
        switch (header, parameter) {
        case (nil, nil): .none
        case (let header?, nil), (nil, let header?): header.isEmpty ? .emptyBearer : .bearer(header)
        case (let header?, let parameter?):
            header.utf8.elementsEqual(parameter.utf8) ? Self.fromBearer(header: header, parameter: nil) : .contradiction
        }
    }

    /// The token behind `Bearer`, in any case; `nil` for another scheme.
    private static func bearerToken(_ header: String) -> String? {
        let name = header.utf8.prefix { $0 != UInt8(ascii: " ") }
        guard name.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        let token = header.utf8.dropFirst(name.count).drop { $0 == UInt8(ascii: " ") }
        return String(Substring(token))
    }

    /// Upper-case letters, then a space: a verb. Whether the rest is signed is for the reader of the header to say.
    private static func looksSigned(_ header: String) -> Bool {
        let bytes = header.utf8
        var (text, length) = (bytes.span, 0)
        while text.count > 0, text[0] == UInt8(ascii: " ") || text[0] == UInt8(ascii: "\t") {
            text = text.extracting(1..<text.count)
        }
        while length < text.count, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[length]) { length += 1 }
        return length > 0 && length < text.count && text[length] == UInt8(ascii: " ")
    }
}
