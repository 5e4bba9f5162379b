import TestSupport

/// `signed-requests.json`: the published signatures, and the forms of signed texts found in the wild.
struct SignedRequestVectors: Sendable, Decodable {
    struct Vector: Sendable, Decodable {
        let signedText, signature, header, verb, requestURI: String
        let time: Int64
    }

    struct Variant: Sendable, Decodable {
        let variant: Int
        let kind, signedVerb, requestURI, method, path: String
    }

    let publicKey, privateKey: String
    let vectors: [Vector]
    let variants: [Variant]

    static func load() throws -> SignedRequestVectors { try Vectors.load("signed-requests") }
}

/// `media-token.json`: the published token and what the verifier says of it.
struct MediaTokenVector: Sendable, Decodable {
    struct Check: Sendable, Decodable {
        let at, resource, result: String
    }

    let publicKey, requestor, element, signature, changedElement: String
    let checks: [Check]

    static func load() throws -> MediaTokenVector { try Vectors.load("media-token") }

    /// The document, with another element under the same signature where one is given.
    func document(of element: String? = nil) -> String {
        "<signatureInfo>\(self.signature)</signatureInfo>\(element ?? self.element)"
    }
}
