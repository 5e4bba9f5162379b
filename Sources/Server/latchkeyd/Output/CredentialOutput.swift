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
    let label: String?
    let certificateAuthority: String?
    let proxy: String?

    /// - Parameter boxes: what a box is told with its pair.
    init(_ record: KeyPairRecord, privateKey: Secret? = nil, boxes: BoxSettings? = nil) {
        let told = record.isServerToServer ? nil : boxes
        self.certificateAuthority = told?.certificateAuthority
        self.proxy = told?.proxy
        self.publicKey = record.publicKey
        self.privateKey = privateKey?.withBytes { String(decoding: $0, as: UTF8.self) }
        self.requestors = record.requestors.map(\.text)
        self.serverToServer = record.isServerToServer
        self.created = record.created.timeText
        self.ends = record.ends?.timeText
        self.label = record.label
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
    let certificateAuthority: String?
    let proxy: String?

    /// - Parameter boxes: what a box is told with its statement.
    init(_ record: ApplicationRecord, statement: String? = nil, boxes: BoxSettings? = nil) {
        let told = record.isServerToServer ? nil : boxes
        self.certificateAuthority = told?.certificateAuthority
        self.proxy = told?.proxy
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
