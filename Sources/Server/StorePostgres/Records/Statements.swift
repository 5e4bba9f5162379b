import Entitlement
import StoreRecords

extension ColumnList {
    /// `$1, $2, $3`
    static var placeholders: String { self.placeholders("$") }
}

extension AttemptColumn {
    /// In place of one with its ID, whose version is counted up.
    static let insertion = """
        INSERT INTO latchkey.attempts (\(names)) VALUES (\(placeholders))
            ON CONFLICT (id) DO UPDATE SET \(replacements), version = attempts.version + 1
        """

    /// Swaps in the progress of an attempt whose version is the stored one; takes ``swapValues(of:)``.
    static let swap = """
        UPDATE latchkey.attempts SET progress = $3, sealed_login = $4, sealed_exchange = $5, sealed_answer = $6,
            version = version + 1 WHERE id = $1 AND version = $2
        """
}

extension AuthenticationColumn {
    static let insertion = "INSERT INTO latchkey.authentications (\(names)) VALUES (\(placeholders))"
}

extension AuthorizationColumn {
    /// Keeps a record, unless its AuthN record is gone, which cannot go before the end of the transaction.
    static let insertion = """
        INSERT INTO latchkey.authorizations (\(names)) SELECT \(placeholders)
            FROM latchkey.authentications WHERE id = $\(Self.authentication.place + 1) FOR KEY SHARE
            ON CONFLICT (authentication, requestor, resource) DO UPDATE SET device = excluded.device,
                mvpd = excluded.mvpd, origin = excluded.origin, created = excluded.created, expires = excluded.expires
        """
}

extension CodeColumn {
    /// What the column holds.
    var type: SQLValue.ElementType {
        switch self {
        case .device: .blob
        case .generated, .expires, .state, .version, .openUntil: .integer
        case .code, .id, .requestor, .deviceID, .appID, .deviceUser, .mvpd, .registrationURL, .deviceType, .appVersion,
            .boxName, .boxModel, .boxSoftware, .boxUserAgent, .boxInformation, .boxAddress, .applicationID,
            .applicationName, .applicationVersion, .stateDetail:
            .text
        }
    }

    /// What replaces the raw data of a code that is over or completed. The column of the device ID keeps a form that is read back.
    static let withoutRawData = """
        device_id = encode(device, 'hex'), box_address = '', box_user_agent = NULL, box_information = NULL
        """
}

extension Session {
    /// Adds `entry` to the audit log, in the transaction of the change it tells of.
    func log(_ entry: AuditEntry) throws(PostgresFailure) {
        try self.run(
            "INSERT INTO latchkey.audit_log (\(AuditColumn.names)) VALUES (\(AuditColumn.placeholders))",
            AuditColumn.values(of: entry))
    }
}
