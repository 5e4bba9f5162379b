import Cryptography
import TestSupport
import Testing

@testable import Clientless

struct SignedRequestVectors: Decodable {
    struct Vector: Decodable {
        let signedText, signature, header, verb, requestor, nonce: String
        let time: Int64
        let requestURI: String
    }

    struct Variant: Decodable {
        let variant: Int
        let kind, signedVerb, requestURI, method, path: String
        let matches: Bool
    }

    let publicKey, privateKey: String
    let vectors: [Vector]
    let variants: [Variant]

    static func load() throws -> SignedRequestVectors { try Vectors.load("signed-requests") }

    var keyPair: KeyPair {
        get throws { try #require(KeyPair(publicKey: self.publicKey, privateKey: Secret(self.privateKey))) }
    }
    var key: HMACKey { HMACKey(Secret(self.privateKey), hash: .sha1) }
}

@Suite("A signed request")
struct SignedRequestTests {
    private let file: SignedRequestVectors

    init() throws { self.file = try .load() }

    @Test func `of the specification is read part by part, verifies, and is written byte for byte`() throws {
        #expect(file.vectors.count == 3)
        for vector in file.vectors {
            let header = try SignedRequestHeader(vector.header)
            #expect(header.signedText == vector.signedText)
            #expect(header.publicKey == file.publicKey)
            #expect(Base64.encode(header.signature) == vector.signature)
            #expect(header.verb == vector.verb && header.requestURI == vector.requestURI)
            #expect(header.requestor == vector.requestor && header.nonce == vector.nonce)
            #expect(header.time == Timestamp(milliseconds: vector.time))
            #expect(header.isAuthentic(under: file.key))
            #expect(!header.isAuthentic(under: HMACKey(Secret("k7Qm2vTx9LbN4cRy"), hash: .sha1)))

            let written = SignedRequestHeader.signed(
                verb: vector.verb, requestor: try #require(RequestorID(vector.requestor)), nonce: vector.nonce,
                time: Timestamp(milliseconds: vector.time), uri: vector.requestURI, keyPair: try file.keyPair)
            #expect(written == vector.header)
        }
    }

    @Test func `verifies in all eight forms found in the wild, and matches its request line where it should`() throws {
        #expect(Set(file.variants.map(\.variant)) == Set(1...8))
        for variant in file.variants {
            let text = SignedRequestHeader.signed(
                verb: variant.signedVerb, requestor: try #require(RequestorID("NORTHSPORT")), nonce: "n-1",
                time: Timestamp(milliseconds: 1_767_225_600_000), uri: variant.requestURI, keyPair: try file.keyPair)
            let header = try SignedRequestHeader(text)
            let name: Comment = "variant \(variant.variant), \(variant.kind): \(variant.requestURI) for \(variant.path)"
            #expect(header.isAuthentic(under: file.key), name)
            #expect(header.matches(method: variant.method, path: variant.path) == variant.matches, name)
        }
    }

    @Test(
        "does not match another path",
        arguments: [
            ("/authorize", "/api/v1/preauthorize"), ("/authn", "/api/v1/checkauthn"),
            ("/tokens", "/api/v1/tokens/authn"),
            ("/media", "/api/v1/mediatoken"), ("/", "/api/v1/authorize"),
            ("https://tve.example.net", "/api/v1/authorize"),
            ("/reggie/v1/NORTHSPORT", "/reggie/v1/NORTHSPORT/regcode"), ("authorize", "/api/v1/authorize"),
            ("https://tve.example.net/api/v1/logout?x=/authorize", "/api/v1/authorize"),
            ("https://a.json", "/api/v1/authorize"), ("http://a.xml/", "/api/v1/authorize"),
            ("https://a.xml.json?x", "/api/v1/authorize"), ("https://.json#", "/api/v1/authorize"),
        ])
    func mismatches(_ signed: String, _ path: String) throws {
        let header = try SignedRequestHeader(Self.header("GET", uri: signed, file))
        #expect(!header.matches(method: "GET", path: path))
    }

    @Test(arguments: [
        ("//api/v1/authorize", "/api/v1/authorize"), ("/api/v1/authorize/", "/api/v1/authorize"),
        ("/authorize.xml", "/api/v1/authorize.json"), ("/authorize", "//api/v1/authorize"),
        ("http://127.0.0.1:8080/reggie/v1/OTHER/regcode", "/reggie/v1/NORTHSPORT/regcode"),
    ])
    func `matches paths that are written with more slashes or another suffix`(_ signed: String, _ path: String) throws {
        let header = try SignedRequestHeader(Self.header("GET", uri: signed, try SignedRequestVectors.load()))
        #expect(header.matches(method: "GET", path: path))
        #expect(!header.matches(method: "POST", path: path))
    }

    @Test("compares any URI that its own alphabet can spell with any path, and ends")
    func anyURI() throws {
        let parts = [
            "https://", "http://", "/", "//", ".json", ".xml", "?", "#", "/api/v1/", "/reggie/v1/", "a", "authorize",
        ]
        var generator = SeededGenerator(seed: 14)
        var found = 0
        for _ in 0..<20_000 {
            let uri = (0..<Int.random(in: 0...5, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let path = (0..<Int.random(in: 0...4, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            guard let header = try? SignedRequestHeader(Self.header("GET", uri: uri, file)) else { continue }
            if header.matches(method: "GET", path: path) { found += 1 }
            #expect(header.matches(method: "GET", path: uri), "\(uri)")
        }
        #expect(found > 100)
    }

    @Test func `may carry foreign pairs, outer white space, and a URI that looks like a header`() throws {
        let uri = "/authorize?a=b, public_key=forged, signature=AAAAAAAAAAAAAAAAAAAAAAAAAAA="
        for text in [
            "GET requestor_id=R, x=platform.token=, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=\(uri)",
            "GET x=1, requestor_id=R, nonce=n, signature_method=HMAC-SHA1, y=2, request_time=1767225600000, z=, request_uri=\(uri)",
        ] {
            let header = try SignedRequestHeader("\t \(Self.complete(text, file))\r\n")
            #expect(header.isAuthentic(under: file.key))
            #expect(header.signedText == text)
            #expect(header.requestURI == uri)
            #expect(header.publicKey == file.publicKey && header.requestor == "R" && header.nonce == "n")
        }
    }

    @Test(
        "is malformed when a part is missing, empty, repeated, out of order or too long",
        arguments: [
            "", "GET", "GET ", "Bearer abc",
            "requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "get requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET  requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a ",
            "GET nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R, nonce=, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=",
            "GET requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000",
            "GET requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_uri=/a",
            "GET requestor_id=R, nonce=n, request_time=1767225600000, request_uri=/a",
            "GET nonce=n, requestor_id=R, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R, requestor_id=S, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, nonce=m, request_uri=/a",
            "GET requestor_id=R, novalue, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R, =v, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R,nonce=n,signature_method=HMAC-SHA1,request_time=1767225600000,request_uri=/a",
            "GET requestor_id=R, nonce=\(String(repeating: "n", count: 129)), signature_method=HMAC-SHA1, "
                + "request_time=1767225600000, request_uri=/a",
            "GET requestor_id=R, \(String(repeating: "x=1, ", count: 9))nonce=n, signature_method=HMAC-SHA1, "
                + "request_time=1767225600000, request_uri=/a",
            "VERYLONGVERBINDEED requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=/a",
        ])
    func malformed(_ signedText: String) throws {
        let text = Self.complete(signedText, try SignedRequestVectors.load())
        #expect(throws: SignedRequestError.malformed) { try SignedRequestHeader(text) }
    }

    @Test("is malformed without its last two parts, with them in the wrong order, or with a code of another length")
    func malformedEnd() throws {
        let vector = file.vectors[1]
        for end in [
            "", ", public_key=\(file.publicKey)", ", signature=\(vector.signature)",
            ", signature=\(vector.signature), public_key=\(file.publicKey)",
            ", public_key=, signature=\(vector.signature)",
            ", public_key=\(String(repeating: "k", count: 129)), signature=\(vector.signature)",
            ", public_key=\(file.publicKey), signature=", ", public_key=\(file.publicKey), signature=AAAA",
            ", public_key=\(file.publicKey), signature=\(vector.signature.dropLast())",
            ", public_key=\(file.publicKey), signature=\(vector.signature)=",
            ", public_key=\(file.publicKey), signature=\(vector.signature), x=1",
            ", public_key=\(file.publicKey), signature=MSNRE80RikYEvGurv35_evFOKd8=",
        ] {
            #expect(throws: SignedRequestError.malformed) { try SignedRequestHeader(vector.signedText + end) }
        }
    }

    @Test func `is refused when it is too long, or signed by another method`() throws {
        let fixed = Self.header("GET", uri: "/", file).utf8.count
        let room = SignedRequestHeader.maximumLength - fixed + 1
        let longest = Self.header("GET", uri: String(repeating: "a", count: room), file)
        #expect(try SignedRequestHeader(longest).requestURI.utf8.count == room)
        #expect(throws: SignedRequestError.tooLong) {
            try SignedRequestHeader(Self.header("GET", uri: String(repeating: "a", count: room + 1), file))
        }
        for method in ["HMAC-SHA256", "hmac-sha1", "HMAC-SHA1 ", "", "HMAC-SHA"] {
            let text =
                "GET requestor_id=R, nonce=n, signature_method=\(method), request_time=1767225600000, request_uri=/a"
            #expect(throws: SignedRequestError.unsupportedMethod) { try SignedRequestHeader(Self.complete(text, file)) }
        }
    }

    @Test func `is stale once the clocks differ by a millisecond more than the window`() throws {
        let header = try SignedRequestHeader(try SignedRequestVectors.load().vectors[0].header)
        let time = Timestamp(milliseconds: 1_767_225_600_000)
        let window = Duration.seconds(900)
        for now in [time, time + window, time - window] { try header.check(now: now, window: window) }
        for now in [time + window + .milliseconds(1), time - window - .milliseconds(1), Timestamp(milliseconds: .max)] {
            #expect(throws: SignedRequestError.outsideWindow) { try header.check(now: now, window: window) }
        }
    }

    @Test(arguments: ["1767225600", "17672256000000", "176722560000a", "-176722560000", "", "１７６７２２５６０００００"])
    func `has no valid time unless it is 13 digits`(_ time: String) throws {
        let text = "GET requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=\(time), request_uri=/a"
        let header = try SignedRequestHeader(Self.complete(text, try SignedRequestVectors.load()))
        #expect(header.time == nil)
        #expect(throws: SignedRequestError.invalidTime) {
            try header.check(now: Timestamp(milliseconds: 1_767_225_600_000), window: .seconds(1 << 40))
        }
    }

    @Test("is written with 13 digits also by a device whose clock is wrong", arguments: [0, -5, 999_999_999_999, .max])
    func wrongClock(_ milliseconds: Int64) throws {
        let text = SignedRequestHeader.signed(
            verb: "GET", requestor: try #require(RequestorID("R")), nonce: "n",
            time: Timestamp(milliseconds: milliseconds), uri: "/a", keyPair: try file.keyPair)
        #expect(try SignedRequestHeader(text).time != nil)
    }

    @Test("that was changed is refused, or is the same request still")
    func mutations() throws {
        let (key, originals) = (file.key, Set(file.vectors.map(\.signedText)))
        var accepted = 0
        for text in Mutations(of: file.vectors.map(\.header), count: 20_000, seed: 7) {
            guard let header = try? SignedRequestHeader(text), header.publicKey == file.publicKey,
                header.isAuthentic(under: key)
            else { continue }
            #expect(originals.contains(header.signedText), "\(text)")
            accepted += 1
        }
        // Some mutations only touch the space around the header.
        #expect(accepted < 1000)
    }

    @Test func `does not show in text`() throws {
        let header = try SignedRequestHeader(try SignedRequestVectors.load().vectors[0].header)
        #expect("\(header)" == "<signed request>")
    }

    private static func header(_ verb: String, uri: String, _ file: SignedRequestVectors) -> String {
        Self.complete(
            "\(verb) requestor_id=R, nonce=n, signature_method=HMAC-SHA1, request_time=1767225600000, request_uri=\(uri)",
            file)
    }

    /// Adds a genuine code to any text.
    private static func complete(_ signedText: String, _ file: SignedRequestVectors) -> String {
        "\(signedText), public_key=\(file.publicKey), signature=\(Base64.encode(file.key.authenticationCode(for: signedText.utf8)))"
    }
}

@Suite("A key pair")
struct KeyPairTests {
    @Test func `is made of 32 and 16 letters and digits, other ones each time`() {
        var generator = SecureRandomGenerator()
        let (first, second) = (KeyPair.random(using: &generator), KeyPair.random(using: &generator))
        #expect(first.publicKey.utf8.count == 32)
        #expect(first.privateKey.count == 16)
        #expect(first.publicKey.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        #expect(
            first.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }.allSatisfy { $0.isLetter || $0.isNumber }
        )
        #expect(first.publicKey != second.publicKey)
        #expect(first.privateKey.withBytes { $0 } != second.privateKey.withBytes { $0 })
    }

    @Test(arguments: ["", "a,b", "a b", "ä", String(repeating: "k", count: 129)])
    func `cannot hold a public key that would break the header`(_ publicKey: String) {
        #expect(KeyPair(publicKey: publicKey, privateKey: Secret("k")) == nil)
        #expect(KeyPair(publicKey: "k", privateKey: Secret("")) == nil)
        #expect(KeyPair(publicKey: "k", privateKey: Secret(String(repeating: "k", count: 257))) == nil)
    }
}

extension SignedRequestHeader {
    fileprivate var verb: String { self.part(self.layout.verb) }
    fileprivate var requestURI: String { self.part(self.layout.requestURI) }
    fileprivate var signedText: String { self.part(self.layout.signedText) }

    fileprivate var requestor: String { self.part(self.layout.requestor) }
    fileprivate var publicKey: String { self.part(self.layout.publicKey) }

    fileprivate init(_ text: String) throws(SignedRequestError) { try self.init(Array(text.utf8)[...]) }

    private func part(_ range: Range<Int>) -> String { String(decoding: Array(self.bytes)[range], as: UTF8.self) }

    fileprivate func matches(method: String, path: String) -> Bool {
        let path = path.utf8
        return self.matches(method: method, path: path.span)
    }
}
