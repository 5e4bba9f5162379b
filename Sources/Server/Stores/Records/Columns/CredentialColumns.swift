package import Clientless
package import Entitlement

/// The columns of `key_pairs`; requestors have a table of their own.
package enum KeyPairColumn: String, ColumnList {
    case publicKey = "public_key"
    case sealedPrivateKey = "sealed_private_key"
    case isServerToServer = "server_to_server"
    case created, ends, label

    package static let listed = Listed<Self>("key_pairs")

    package var field: Field<KeyPairRecord> {
        switch self {
        case .publicKey: Field { $0.publicKey }
        case .sealedPrivateKey: Field { $0.sealedPrivateKey }
        case .isServerToServer: Field { $0.isServerToServer }
        case .created: Field { $0.created }
        case .ends: Field { $0.ends }
        case .label: Field { $0.label }
        }
    }

    package static func record<Row: RecordRow>(
        from row: inout Row, requestors: (String) -> [RequestorID]
    ) throws(Row.Failure) -> KeyPairRecord {
        let publicKey: String = try row.value(Self.publicKey)
        return KeyPairRecord(
            publicKey: publicKey, sealedPrivateKey: try row.value(Self.sealedPrivateKey),
            requestors: requestors(publicKey), isServerToServer: try row.value(Self.isServerToServer),
            created: try row.value(Self.created), ends: try row.valueIfAny(Self.ends),
            label: try row.valueIfAny(Self.label))
    }
}

/// The columns of `applications`; lists have a table of their own.
package enum ApplicationColumn: String, ColumnList {
    case softwareID = "software_id"
    case name, version
    case isServerToServer = "server_to_server"
    case created, ends

    package static let listed = Listed<Self>("applications")

    package var field: Field<ApplicationRecord> {
        switch self {
        case .softwareID: Field { $0.softwareID }
        case .name: Field { $0.name }
        case .version: Field { $0.version }
        case .isServerToServer: Field { $0.isServerToServer }
        case .created: Field { $0.created }
        case .ends: Field { $0.ends }
        }
    }

    package static func record<Row: RecordRow>(
        from row: inout Row, requestors: [RequestorID], targets: [String], scopes: [String]
    ) throws(Row.Failure) -> ApplicationRecord {
        ApplicationRecord(
            softwareID: try row.value(Self.softwareID), name: try row.value(Self.name),
            version: try row.value(Self.version), requestors: requestors, redirectTargets: targets, scopes: scopes,
            isServerToServer: try row.value(Self.isServerToServer), created: try row.value(Self.created),
            ends: try row.valueIfAny(Self.ends))
    }
}

/// The columns of `clients`; redirect addresses have a table of their own.
package enum ClientColumn: String, ColumnList {
    case clientID = "client_id"
    case secretHash = "secret_hash"
    case softwareID = "software_id"
    case created
    case lastUsed = "last_used"

    package static let listed = Listed<Self>("clients")

    package var field: Field<ClientRecord> {
        switch self {
        case .clientID: Field { $0.clientID }
        case .secretHash: Field { $0.secretHash }
        case .softwareID: Field { $0.softwareID }
        case .created: Field { $0.created }
        case .lastUsed: Field { $0.lastUsed }
        }
    }

    package static func record<Row: RecordRow>(
        from row: inout Row, redirectURIs: [String]
    ) throws(Row.Failure) -> ClientRecord {
        ClientRecord(
            clientID: try row.value(Self.clientID), secretHash: try row.value(Self.secretHash),
            softwareID: try row.value(Self.softwareID), redirectURIs: redirectURIs,
            created: try row.value(Self.created), lastUsed: try row.value(Self.lastUsed))
    }
}

package enum SetUpCodeColumn: String, ColumnList {
    case hash, requestor, created, expires, label
    case softwareID = "software_id"

    package static let listed = Listed<Self>("set_up_codes")

    package var field: Field<SetUpCodeRecord> {
        switch self {
        case .hash: Field { $0.hash }
        case .requestor: Field { $0.requestor }
        case .created: Field { $0.created }
        case .expires: Field { $0.expires }
        case .softwareID: Field { $0.softwareID }
        case .label: Field { $0.label }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> SetUpCodeRecord {
        SetUpCodeRecord(
            hash: try row.value(Self.hash), requestor: try row.value(Self.requestor),
            softwareID: try row.valueIfAny(Self.softwareID), created: try row.value(Self.created),
            expires: try row.value(Self.expires), label: try row.valueIfAny(Self.label))
    }
}
