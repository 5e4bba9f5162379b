import Clientless
import Entitlement

/// The columns of `key_pairs`; requestors have a table of their own.
enum KeyPairColumn: String, ColumnList {
    case publicKey = "public_key"
    case sealedPrivateKey = "sealed_private_key"
    case isServerToServer = "server_to_server"
    case created, ends, label

    private func value(of record: KeyPairRecord) -> SQLValue {
        switch self {
        case .publicKey: .text(record.publicKey)
        case .sealedPrivateKey: .blob(record.sealedPrivateKey)
        case .isServerToServer: .flag(record.isServerToServer)
        case .created: .time(record.created)
        case .ends: .timeIfAny(record.ends)
        case .label: .textIfAny(record.label)
        }
    }

    static func values(of record: KeyPairRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    static func record(
        from row: inout Row, requestors: (String) -> [RequestorID]
    ) throws(PostgresFailure) -> KeyPairRecord {
        let publicKey = try row.text(Self.publicKey)
        return KeyPairRecord(
            publicKey: publicKey, sealedPrivateKey: try row.blob(Self.sealedPrivateKey),
            requestors: requestors(publicKey), isServerToServer: try row.flag(Self.isServerToServer),
            created: try row.timestamp(Self.created), ends: try row.timestampIfAny(Self.ends),
            label: try row.textIfAny(Self.label))
    }
}

/// The columns of `applications`; lists have a table of their own.
enum ApplicationColumn: String, ColumnList {
    case softwareID = "software_id"
    case name, version
    case isServerToServer = "server_to_server"
    case created, ends

    private func value(of record: ApplicationRecord) -> SQLValue {
        switch self {
        case .softwareID: .text(record.softwareID)
        case .name: .text(record.name)
        case .version: .text(record.version)
        case .isServerToServer: .flag(record.isServerToServer)
        case .created: .time(record.created)
        case .ends: .timeIfAny(record.ends)
        }
    }

    static func values(of record: ApplicationRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    static func record(
        from row: inout Row, requestors: [RequestorID], targets: [String], scopes: [String]
    ) throws(PostgresFailure) -> ApplicationRecord {
        ApplicationRecord(
            softwareID: try row.text(Self.softwareID), name: try row.text(Self.name),
            version: try row.text(Self.version), requestors: requestors, redirectTargets: targets, scopes: scopes,
            isServerToServer: try row.flag(Self.isServerToServer), created: try row.timestamp(Self.created),
            ends: try row.timestampIfAny(Self.ends))
    }
}

/// The columns of `clients`; redirect addresses have a table of their own.
enum ClientColumn: String, ColumnList {
    case clientID = "client_id"
    case secretHash = "secret_hash"
    case softwareID = "software_id"
    case created
    case lastUsed = "last_used"

    private func value(of record: ClientRecord) -> SQLValue {
        switch self {
        case .clientID: .text(record.clientID)
        case .secretHash: .blob(record.secretHash)
        case .softwareID: .text(record.softwareID)
        case .created: .time(record.created)
        case .lastUsed: .time(record.lastUsed)
        }
    }

    static func values(of record: ClientRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    static func record(from row: inout Row, redirectURIs: [String]) throws(PostgresFailure) -> ClientRecord {
        ClientRecord(
            clientID: try row.text(Self.clientID), secretHash: try row.blob(Self.secretHash),
            softwareID: try row.text(Self.softwareID), redirectURIs: redirectURIs,
            created: try row.timestamp(Self.created), lastUsed: try row.timestamp(Self.lastUsed))
    }
}
