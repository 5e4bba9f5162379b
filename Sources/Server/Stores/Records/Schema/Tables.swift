// Times are milliseconds since 1970. Texts are compared byte for byte.
extension Table {
    /// All tables: the audit log, then those that others refer to first.
    package static let all: [Table] = [
        auditLog, codes, attempts, authentications, endedSignIns, authorizations, nonces, keyPairs,
        list("key_pair_requestors", of: "key_pairs", "public_key", value: "requestor"), applications, applicationLists,
        clients, list("client_redirects", of: "clients", "client_id", value: "uri"), setUpCodes, accounts,
        accountLineUps,
        accountMetadata, trials, list("trial_resources", of: "trials", "id", as: "trial", value: "resource"),
        trialIdentities, degradationRules,
        list("degradation_resources", of: "degradation_rules", "id", as: "rule", value: "resource"), passkeys, reports,
        leases, probe,
    ]

    // Rows are wide and their keys random: in SQLite, where a table is in the order of its key, new ones share pages by the
    // sequence, and only the thin indexes are touched at random. The index of expiry holds `open_until`, too: it counts
    // what is open without a look at the table.
    package static let codes = Table("codes", CodeColumn.self)
        .unique("code")
        .index("expires", "expires", including: "open_until")
        .index("open", "device", "open_until", partial: "open_until")

    static let attempts = Table("attempts", AttemptColumn.self, key: [.id]).index("expires", "expires")

    static let authentications = Table("authentications", AuthenticationColumn.self)
        .unique("id")
        .unique("device", "app_id", "device_user", "owner", "mvpd", "client")
        .index("expires", "expires")
        .index("created", "created")
        .index("requestor", "requestor", "created")
        .index("viewer", "user_id", "mvpd", "requestor", "id")
        .index("code", "code", partial: "code")
        .index("provider_session", "provider_session", partial: "provider_session")

    // The traces of sign-ins that were ended.
    package static let endedSignIns = Table("ended_sign_ins", EndedSignInColumn.self)
        .index("id", "id")
        .index("device", "device", "ended")
        .index("ended", "ended")

    /// The statements that add the credential with which a box makes codes and sign-ins.
    package static func credentials(_ dialect: Dialect) -> [String] {
        [
            codes.adding(CodeColumn.credential, dialect),
            authentications.adding(AuthenticationColumn.credential, dialect),
            endedSignIns.adding(EndedSignInColumn.credential, dialect),
        ]
    }

    static let authorizations = Table(
        "authorizations", AuthorizationColumn.self, key: [.authentication, .requestor, .resource]
    )
    .going(with: "authentications", ["id"], by: ["authentication"])
    .index("expires", "expires")

    static let nonces = Table(
        "nonces", texts("public_key", "nonce") + integers("expires"), key: ["public_key", "nonce"]
    )
    .index("expires", "expires")

    private static let keyPairs = Table("key_pairs", KeyPairColumn.self, key: [.publicKey])

    private static let applications = Table("applications", ApplicationColumn.self, key: [.softwareID])

    private static let applicationLists = Table(
        "application_lists", texts("software_id", "list") + integers("place") + texts("value"),
        key: ["software_id", "list", "place"]
    )
    .going(with: "applications", ["software_id"], by: ["software_id"])

    static let clients = Table("clients", ClientColumn.self, key: [.clientID])
        .index("last_used", "last_used")
        .index("application", "software_id", "created")

    static let setUpCodes = Table("set_up_codes", SetUpCodeColumn.self, key: [.hash]).index("expires", "expires")

    private static let accounts = Table("accounts", AccountColumn.self, key: [.mvpd, .name]).unique("mvpd", "id")

    private static let accountLineUps = Table(
        "account_line_ups", texts("mvpd", "name") + integers("place") + texts("resource"),
        key: ["mvpd", "name", "place"]
    )
    .going(with: "accounts", ["mvpd", "name"], by: ["mvpd", "name"])

    // A row for each text: `shape` says whether it is the whole value, an element of a list, or a member of a map.
    private static let accountMetadata = Table(
        "account_metadata",
        texts("mvpd", "name", "key") + integers("place", "shape") + texts("member", "value"),
        key: ["mvpd", "name", "key", "place"]
    )
    .going(with: "accounts", ["mvpd", "name"], by: ["mvpd", "name"])

    static let trials = Table("trials", TrialColumn.self, key: [.id])
        .index("pair", "requestor", "mvpd")
        .index("kept_until", "kept_until", partial: "kept_until")

    // An identity is in one trial of a requestor and provider: its row is the only place that says so.
    private static let trialIdentities = Table(
        "trial_identities",
        texts("requestor", "mvpd") + integers("kind") + [TableColumn(name: "hash", type: .blob)] + texts("trial")
            + integers("place"),
        key: ["requestor", "mvpd", "kind", "hash"]
    )
    .going(with: "trials", ["id"], by: ["trial"])
    .index("trial", "trial", "place")

    static let degradationRules = Table("degradation_rules", RuleColumn.self, key: [.id]).index("ends", "ends")

    static let auditLog = Table("audit_log", AuditColumn.self)

    // One belongs to an account by its ID, and goes with it.
    private static let passkeys = Table("passkeys", PasskeyColumn.self, key: [.credential])
        .going(with: "accounts", ["mvpd", "id"], by: ["mvpd", "account"])
        .index("account", "mvpd", "account", "created")

    // The events of boxes, counted by the hour. The sequence tells the oldest rows, which go first; it has holes.
    static let reports = Table("reports", ReportColumn.self)
        .unique("hour", "requestor", "mvpd", "device_type", "platform", "event")

    private static let leases = Table("leases", texts("task", "holder") + integers("ends"), key: ["task"]).ofOneLife()

    /// The row that a test of writing writes, apart from all else, so that a purge under way keeps no node from being
    /// ready.
    private static let probe = Table("probe", integers("id", "value"), key: ["id"]).ofOneLife()

    /// A list of texts of each row of another table.
    private static func list(
        _ name: String, of owner: String, _ key: String, as column: String? = nil, value: String
    ) -> Table {
        let column = column ?? key
        return Table(name, self.texts(column) + self.integers("place") + self.texts(value), key: [column, "place"])
            .going(with: owner, [key], by: [column])
    }

    private static func texts(_ names: String...) -> [TableColumn] { names.map { TableColumn(name: $0, type: .text) } }

    private static func integers(_ names: String...) -> [TableColumn] {
        names.map { TableColumn(name: $0, type: .integer) }
    }

    private func unique(_ columns: String...) -> Table {
        var copy = self
        copy.unique.append(columns)
        return copy
    }

    private func index(
        _ name: String, _ columns: String..., including: String? = nil, partial: String? = nil
    ) -> Table {
        var copy = self
        copy.indexes.append(TableIndex(name: name, columns: columns, partial: partial, including: including))
        return copy
    }

    /// Has a row go with the row of `table` that has the same values.
    private func going(with table: String, _ key: [String], by columns: [String]) -> Table {
        var copy = self
        copy.owner = (columns, table, key)
        return copy
    }

    private func ofOneLife() -> Table {
        var copy = self
        copy.isMoved = false
        return copy
    }
}
