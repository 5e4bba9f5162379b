@testable import Clientless

extension FuzzTarget {
    /// The `Authorization` header of the HMAC scheme, and the request it is compared with.
    static let signedHeader = FuzzTarget("signed-header") { input in
        let parts = parts(input, 2)
        let value = Array(parts[0])
        _ = SignedRequestHeader.claimedPublicKey(in: value[...])
        guard let header = try? SignedRequestHeader(value[...]) else { return }
        _ = (header.requestor, header.nonce, header.publicKey, header.description)
        let other = Array(parts[1])
        _ = header.matches(method: "GET", path: other.span)
        precondition(
            header.matches(
                method: String(decoding: value[header.layout.verb], as: UTF8.self),
                path: value.span.extracting(header.layout.requestURI)), "what was signed matches itself")
    }

    /// A JSON Web Token, whoever signed it.
    static let webToken = FuzzTarget("web-token") { input in
        for algorithm in [CompactToken.Algorithm.es256, .rs256] {
            guard let token = try? CompactToken(text(input), algorithm: algorithm) else { continue }
            _ = try? token.claims { _, _ in true }.members.map(\.value.moment)
        }
    }

    /// What a box says of itself.
    static let deviceInformation = FuzzTarget("device-information") { input in
        guard let information = DeviceInformation(decoding: text(input)) else { return }
        let encoded = information.encoded
        let isReadable = encoded.utf8.count <= DeviceInformation.maximumEncodedLength
        precondition(!isReadable || DeviceInformation(decoding: encoded) != nil, "what is written can be read")
    }

    /// Documents that applications and programmers send.
    static let xml = FuzzTarget("xml") { input in
        _ = FlatXMLDocument(text(input))
        guard var reader = try? XMLReader(text(input), size: 65_536, depth: 8) else { return }
        do { while try reader.next() != nil {} } catch {}
    }

    /// A signed token document and the three elements it may hold.
    static let tokenDocument = FuzzTarget("token-document") { input in
        let text = text(input)
        _ = try? AuthenticationTokenDocument(element: text)
        _ = try? AuthorizationTokenDocument(element: text)
        _ = try? MediaTokenDocument(element: text)
        guard let document = try? SignedTokenDocument(parsing: text) else { return }
        guard document.text.utf8.count <= SignedTokenDocument.maximumLength else { return }
        precondition((try? SignedTokenDocument(parsing: document.text)) == document, "what is written can be read")
    }
}
