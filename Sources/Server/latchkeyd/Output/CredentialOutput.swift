import Clientless
import Cryptography
import Entitlement

/// How the commands show when something ends.
enum UseText {
    static func write(_ ends: Timestamp?, now: Timestamp) -> String {
        guard let ends else { return "in use" }
        return ends <= now ? "ended \(ends.timeText)" : "ends \(ends.timeText)"
    }
}

/// A key pair as JSON. The private key is there only when it was just made.
struct KeyPairOutput: Encodable {
    let publicKey: String
    let privateKey: String?
    let requestors: [String]
    let serverToServer: Bool
    let created: String
    let ends: String?

    init(_ record: KeyPairRecord, privateKey: Secret? = nil) {
        self.publicKey = record.publicKey
        self.privateKey = privateKey?.withBytes { String(decoding: $0, as: UTF8.self) }
        self.requestors = record.requestors.map(\.text)
        self.serverToServer = record.isServerToServer
        self.created = record.created.timeText
        self.ends = record.ends?.timeText
    }
}

/// A set-up code as JSON, in the words of `/management/v1/setup-codes`.
struct SetUpCodeOutput: Encodable {
    let code: String
    let server: String
    let requestor: String
    let expires: String

    init(_ issued: IssuedSetUpCode, server: String) {
        self.code = issued.text.grouped
        self.server = server
        self.requestor = issued.record.requestor.text
        self.expires = issued.record.expires.timeText
    }
}

/// A registered application as JSON. The statement is there only where it was asked for.
struct ApplicationOutput: Encodable {
    let softwareID: String
    let name: String
    let version: String
    let requestors: [String]
    let redirectTargets: [String]
    let scopes: [String]
    let serverToServer: Bool
    let created: String
    let ends: String?
    let softwareStatement: String?

    init(_ record: ApplicationRecord, statement: String? = nil) {
        self.softwareID = record.softwareID
        self.name = record.name
        self.version = record.version
        self.requestors = record.requestors.map(\.text)
        self.redirectTargets = record.redirectTargets
        self.scopes = record.scopes
        self.serverToServer = record.isServerToServer
        self.created = record.created.timeText
        self.ends = record.ends?.timeText
        self.softwareStatement = statement
    }
}
