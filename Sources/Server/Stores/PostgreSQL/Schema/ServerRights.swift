/// The rights of the role of servers (deploy/postgres/roles.sql): on each table, as the statements of this target need,
/// and nothing to the tables themselves.
///
/// PostgreSQL erases by reference, and checks references, with the rights of the tables' owner; a row that is locked,
/// as a purge does, takes the right to change it.
enum ServerRights {
    static let role = "latchkey_server"

    private static let reading = "SELECT"
    private static let changing = "SELECT, UPDATE"
    private static let adding = "SELECT, INSERT"
    private static let replacing = "SELECT, INSERT, DELETE"
    private static let adjusting = "SELECT, INSERT, UPDATE"
    private static let all = "SELECT, INSERT, UPDATE, DELETE"

    /// The rights of each table by its name, in the order in which the schema has them.
    static let ofTables: [(table: String, rights: String)] = [
        ("schema_version", reading),
        ("codes", all), ("attempts", all), ("authentications", all), ("ended_sign_ins", all),
        ("authorizations", all), ("nonces", all),
        ("key_pairs", all), ("key_pair_requestors", adding), ("applications", all), ("application_lists", adding),
        ("clients", all), ("client_redirects", adding), ("set_up_codes", all),
        ("accounts", all), ("account_line_ups", replacing), ("account_metadata", replacing), ("passkeys", all),
        ("trials", all), ("trial_resources", replacing), ("trial_identities", replacing),
        ("degradation_rules", all), ("degradation_resources", adding),
        // Rows written there stay as they are until they are purged.
        ("audit_log", replacing),
        ("reports", all),
        ("changes", replacing), ("change_marks", replacing), ("store_state", changing), ("probe", changing),
        ("leases", adjusting),
    ]

    /// Gives the role, if there is one, these rights and no other, when the owner of the tables asks for it. A role that
    /// owns the tables itself keeps what it has: what erases by reference needs it.
    static let granting = """
        DO $$ BEGIN
            IF EXISTS (SELECT FROM pg_class AS version, pg_roles AS served
                WHERE version.oid = 'latchkey.schema_version'::regclass AND pg_has_role(version.relowner, 'USAGE')
                    AND served.rolname = '\(role)' AND served.oid <> version.relowner)
            THEN
                GRANT USAGE ON SCHEMA latchkey TO \(role);
                REVOKE ALL ON ALL TABLES IN SCHEMA latchkey FROM \(role);
                REVOKE ALL ON ALL SEQUENCES IN SCHEMA latchkey FROM \(role);
                \(ofTables.map { "GRANT \($0.rights) ON latchkey.\($0.table) TO \(role);" }.joined(separator: " "))
            END IF;
        END $$
        """

    /// Says in a row of text which table is missing, and which right the role of the session lacks.
    static let faults = """
        SELECT DISTINCT CASE WHEN to_regclass('latchkey.' || name) IS NULL THEN 'table ' || name || ' is missing'
                ELSE 'role ' || current_user || ' lacks ' || privilege || ' on table ' || name END
            FROM (VALUES \(needed)) AS needed (name, privilege)
            WHERE has_table_privilege(to_regclass('latchkey.' || name), privilege) IS NOT TRUE
        """

    private static var needed: String {
        self.ofTables.flatMap { table, rights in
            rights.split(separator: ", ").map { "('\(table)', '\($0)')" }
        }.joined(separator: ", ")
    }
}
