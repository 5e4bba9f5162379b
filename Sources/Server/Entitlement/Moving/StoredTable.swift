/// A table as every store has it that can be moved: names and kinds of columns, whatever else a store adds to them for
/// its own use.
///
/// Not among them is what belongs to one life of the data: the feed of changes, leases, marks of purges.
package struct StoredTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case integer, text, blob
        }

        package let name: String
        package let kind: Kind
    }

    package let name: String
    /// How many columns, the first ones, are the key, in whose order the rows are; 0 for a table whose rows are in the
    /// order in which they were kept, which its column `sequence` says.
    package let keyLength: Int
    package let columns: [Column]

    /// What the rows are in the order of.
    package var order: [Column] {
        self.keyLength == 0 ? [Column(name: "sequence", kind: .integer)] : Array(self.columns.prefix(self.keyLength))
    }

    private init(_ name: String, key: [Column], _ columns: [Column]) {
        self.name = name
        self.keyLength = key.count
        self.columns = key + columns
    }

    /// All tables, those that others refer to first.
    package static let all: [StoredTable] = [
        codes, attempts, authentications, authorizations, nonces, keyPairs, keyPairRequestors, applications,
        applicationLists, clients, clientRedirects, setUpCodes, accounts, accountLineUps, accountMetadata, trials,
        trialResources, trialIdentities, degradationRules, degradationResources, auditLog, passkeys, reports,
    ]

    package static let codes = StoredTable(
        "codes", key: [],
        texts("code", "id", "requestor", "device_id") + blobs("device")
            + texts(
                "app_id", "device_user", "mvpd", "registration_url", "device_type", "app_version", "box_name",
                "box_model", "box_software", "box_user_agent", "box_information", "box_address", "application_id",
                "application_name", "application_version")
            + integers("generated", "expires", "state") + texts("state_detail") + integers("version", "open_until"))

    private static let attempts = StoredTable(
        "attempts", key: blobs("id"),
        texts("code", "requestor", "mvpd", "redirect_url") + blobs("browser")
            + integers("created", "expires", "progress") + blobs("sealed_login", "sealed_exchange", "sealed_answer")
            + integers("version"))

    private static let authentications = StoredTable(
        "authentications", key: [],
        texts("id") + blobs("device")
            + texts("app_id", "device_user", "owner", "requestor", "mvpd", "client", "user_id", "code", "origin")
            + integers("created", "expires") + blobs("sealed_session", "provider_session") + integers("version"))

    private static let authorizations = StoredTable(
        "authorizations", key: texts("authentication", "requestor", "resource"),
        blobs("device") + texts("mvpd", "origin") + integers("created", "expires"))

    private static let nonces = StoredTable(
        "nonces", key: texts("public_key", "nonce"), integers("expires"))

    private static let keyPairs = StoredTable(
        "key_pairs", key: texts("public_key"),
        blobs("sealed_private_key") + integers("server_to_server", "created", "ends") + texts("label"))

    private static let keyPairRequestors = StoredTable(
        "key_pair_requestors", key: texts("public_key") + integers("place"), texts("requestor"))

    private static let applications = StoredTable(
        "applications", key: texts("software_id"),
        texts("name", "version") + integers("server_to_server", "created", "ends"))

    private static let applicationLists = StoredTable(
        "application_lists", key: texts("software_id", "list") + integers("place"), texts("value"))

    private static let clients = StoredTable(
        "clients", key: texts("client_id"),
        blobs("secret_hash") + texts("software_id") + integers("created", "last_used"))

    private static let clientRedirects = StoredTable(
        "client_redirects", key: texts("client_id") + integers("place"), texts("uri"))

    private static let setUpCodes = StoredTable(
        "set_up_codes", key: blobs("hash"), texts("requestor", "software_id", "label") + integers("created", "expires"))

    private static let accounts = StoredTable(
        "accounts", key: texts("mvpd", "name"), texts("id", "password_hash") + integers("version"))

    private static let accountLineUps = StoredTable(
        "account_line_ups", key: texts("mvpd", "name") + integers("place"), texts("resource"))

    private static let accountMetadata = StoredTable(
        "account_metadata", key: texts("mvpd", "name", "key") + integers("place"),
        integers("shape") + texts("member", "value"))

    private static let trials = StoredTable(
        "trials", key: texts("id"), texts("requestor", "mvpd") + integers("first_use", "kept_until", "version"))

    private static let trialResources = StoredTable(
        "trial_resources", key: texts("trial") + integers("place"), texts("resource"))

    private static let trialIdentities = StoredTable(
        "trial_identities", key: texts("requestor", "mvpd") + integers("kind") + blobs("hash"),
        texts("trial") + integers("place"))

    private static let degradationRules = StoredTable(
        "degradation_rules", key: texts("id"),
        texts("kind", "requestor", "mvpd", "message") + integers("activation", "ends", "version"))

    private static let degradationResources = StoredTable(
        "degradation_resources", key: texts("rule") + integers("place"), texts("resource"))

    private static let auditLog = StoredTable(
        "audit_log", key: [], integers("moment") + texts("actor", "action", "subject"))

    private static let passkeys = StoredTable(
        "passkeys", key: blobs("credential"),
        texts("mvpd", "account") + blobs("public_key")
            + integers("is_syncable", "sign_count", "created", "last_used"))

    private static let reports = StoredTable(
        "reports", key: [],
        integers("hour") + texts("requestor", "mvpd", "device_type", "platform", "event") + integers("number"))

    private static func integers(_ names: String...) -> [Column] { names.map { Column(name: $0, kind: .integer) } }

    private static func texts(_ names: String...) -> [Column] { names.map { Column(name: $0, kind: .text) } }

    private static func blobs(_ names: String...) -> [Column] { names.map { Column(name: $0, kind: .blob) } }
}
