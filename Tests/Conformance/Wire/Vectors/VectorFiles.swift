import TestSupport
import Testing

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

/// `device-information.json`: what a box says of itself, and what the record says of it.
struct DeviceInformationVector: Sendable, Decodable {
    let json, encoded, normalised: String

    static func load() throws -> DeviceInformationVector { try Vectors.load("device-information") }
}

/// `device-identity.json`: device IDs made of platform IDs, and how records return them.
struct DeviceIdentityVector: Sendable, Decodable {
    struct Recorded: Sendable, Decodable {
        let deviceID, info: String
    }

    let platformID, deviceID: String
    let recorded: [Recorded]

    static func load() throws -> DeviceIdentityVector { try Vectors.load("device-identity") }
}

/// `answers.json`: the answers of the document, as they are printed, in both forms.
struct AnswerVectors: Sendable, Decodable {
    struct Answer: Sendable, Decodable, CustomTestStringConvertible {
        let name, json, xml: String
        /// The member that may hold more than is printed, or other names, after what is.
        let more: String?

        var testDescription: String { self.name }
    }

    let answers: [Answer]

    static func load() throws -> AnswerVectors { try Vectors.load("answers") }
}

/// `refusals.json`: the bodies of refusals that the document fixes to the letter.
struct RefusalVectors: Sendable, Decodable {
    struct Refusal: Sendable, Decodable, CustomTestStringConvertible {
        /// What the box is: `unsigned`, `nameless`, `new` or `signed in`.
        let box: String
        /// The endpoint below `/api/v1`; `{code}` stands for a code of the box.
        let call: String
        let status: Int
        let json: String
        /// Without the declaration; none where the document prints JSON alone.
        let xml: String?

        var testDescription: String { "\(self.call) of a box that is \(self.box)" }
    }

    let refusals: [Refusal]

    static func load() throws -> RefusalVectors { try Vectors.load("refusals") }
}
