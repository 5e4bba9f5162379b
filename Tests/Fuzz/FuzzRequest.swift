import TestSupport

/// A request in parts that can be damaged one by one, so that most damage gets past the HTTP parser to what is behind.
struct FuzzRequest: Sendable {
    var method: String
    var path: [UInt8]
    var query: [UInt8]
    var headers: [(name: String, value: [UInt8])]
    var body: [UInt8]?
    /// How the request is signed; `nil` when it is not.
    var signature: Signature?

    /// A key pair at work: what the client says that it signs is free text, and as authentic as anything else.
    struct Signature: Sendable {
        /// Whether the server takes each header once only, so that every copy is signed anew.
        let isStrict: Bool
        var uri: [UInt8]
        let sign: @Sendable (_ verb: String, _ uri: String, _ nonce: String) -> String
    }

    init(_ method: String, _ target: String, headers: [(String, String)] = [], form: String? = nil) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = Array(parts[0].utf8)
        self.query = parts.count == 2 ? Array(parts[1].utf8) : []
        self.headers = headers.map { ($0.0, Array($0.1.utf8)) }
        self.body = form.map { Array($0.utf8) }
        if form != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            self.headers.append(("Content-Type", Array("application/x-www-form-urlencoded".utf8)))
        }
    }

    /// The request as it is sent: its frame is sound whatever its parts hold.
    var bytes: [UInt8] {
        var text = Array("\(self.method) ".utf8) + Self.inLine(self.path)
        if !self.query.isEmpty { text += Array("?".utf8) + Self.inLine(self.query) }
        text += Array(" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n".utf8)
        for header in self.headers {
            text += Array("\(header.name): ".utf8) + Self.inLine(header.value) + Array("\r\n".utf8)
        }
        if let body { text += Array("Content-Length: \(body.count)\r\n".utf8) }
        return text + Array("\r\n".utf8) + (self.body ?? [])
    }

    /// Whatever would end a line or a C string is something else here; broken framing is tested elsewhere.
    private static func inLine(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { [0x00, 0x0A, 0x0D].contains($0) ? UInt8(ascii: "?") : $0 }
    }
}

extension FuzzRequest {
    private static let methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW"]

    private static let awkward: [[UInt8]] =
        [
            "%", "%zz", "%00", "%0D%0A", "%C3", "&", "=", "+", " ", ";", ",", "/", "//", "..", ".json", ".xml", "?",
            "#", "{", "[[[[", "]", "\"", "\\", "<", ">", "]]>", "-1", "0", "99999999999999999999", "1e999", "null",
            "é", "\u{202E}", "\u{FEFF}", "𝄞", "a\u{301}", "Bearer ", ", signature=", ", public_key=", "nonce=",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [UInt8](repeating: 0x41, count: 3000)]

    /// This request with one to three of its parts damaged.
    func damaged(_ random: inout SeededGenerator) -> FuzzRequest {
        var result = self
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<2: Self.damage(&result.path, &random)
            case 2..<6: Self.damage(&result.query, &random)
            case 6..<9 where !result.headers.isEmpty:
                let index = Int.random(in: 0..<result.headers.count, using: &random)
                Self.damage(&result.headers[index].value, &random)
            case 9..<11:
                guard var body = result.body else { continue }
                Self.damage(&body, &random)
                result.body = body
            case 11: result.method = Self.methods.randomElement(using: &random) ?? "GET"
            default: continue
            }
        }
        if result.path.first != UInt8(ascii: "/") { result.path.insert(UInt8(ascii: "/"), at: 0) }
        return result
    }

    /// What the reader of signed addresses looks for.
    private static let addressParts = [
        "https://", "http://", "a", "tv.example", ":80", "/", "//", ".json", ".xml", "?", "#", "/api/v1/",
        "/reggie/v1/",
        "checkauthn", "%2F", " ", ", public_key=", "request_uri=",
    ].map { Array($0.utf8) }

    /// This request with the address in its header damaged, and signed as it then is; a request that is signed by
    /// nothing is damaged as any.
    func signedAnew(_ random: inout SeededGenerator) -> FuzzRequest {
        guard var signature else { return self.damaged(&random) }
        if Bool.random(using: &random) {
            signature.uri = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
                Self.addressParts.randomElement(using: &random) ?? []
            }
        } else {
            Self.damage(&signature.uri, &random)
        }
        var result = self
        result.signature = signature
        // Half of the time what is signed is damaged as well.
        if Bool.random(using: &random) {
            result = result.damaged(&random)
            result.headers.removeAll { $0.name == "Authorization" }
        }
        result.sign(&random)
        return result
    }

    /// Signs the request as it is, with a nonce of its own.
    mutating func sign(_ random: inout SeededGenerator) {
        guard let signature else { return }
        // What our own signing refuses to write is something else here.
        let bytes = signature.uri.map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        let uri = String(decoding: bytes, as: UTF8.self)
        let proof = signature.sign(self.method, uri, "\(UInt64.random(in: 0...UInt64.max, using: &random))")
        self.headers.removeAll { $0.name == "Authorization" }
        self.headers.append(("Authorization", Array(proof.utf8)))
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        let fragment = self.awkward.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 3: bytes.replaceSubrange(place..<end, with: fragment)
        case 4: bytes.removeSubrange(place...)
        default: bytes.insert(contentsOf: fragment, at: place)
        }
    }
}
