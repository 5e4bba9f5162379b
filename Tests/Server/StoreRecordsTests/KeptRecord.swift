import Clientless
import Entitlement
import StoreFixtures
import Stores
import Testing

/// A record as the row of its table, and how it is read again.
struct KeptRecord: Sendable, CustomTestStringConvertible {
    let table: String
    let columns: [String]
    let values: [SQLValue]
    /// Columns that say again for the store what others say, and are not read.
    let unread: Set<String>
    /// Whether a row is the record.
    let isRecord: @Sendable (MemoryRow) throws -> Bool
    let testDescription: String

    init<Column: ColumnList, Record: Equatable & Sendable>(
        _ table: String, _: Column.Type, _ record: Record, _ values: [SQLValue], unread: Set<String> = [],
        read: @escaping @Sendable (inout MemoryRow) throws(MemoryRow.Failure) -> Record
    ) {
        self.table = table
        self.columns = Column.allCases.map(\.rawValue)
        self.values = values
        self.unread = unread
        self.isRecord = { row in
            var row = row
            return try read(&row) == record
        }
        self.testDescription = table
    }

    static let all = codes + attempts + signIns + credentials + accounts + operations

    private static let codes: [KeptRecord] = {
        let states: [RegistrationCode.State] = [
            .waiting(refusal: nil), .waiting(refusal: "no"), .opened, .loggingIn, .confirming,
            .completed(Fixture.authenticationID(7)), .declined, .cancelled, .expired,
        ]
        return states.map { state in
            let record = Fixture.record(1, appID: "app", deviceUser: "anna", state: state)
            return KeptRecord(
                "codes", CodeColumn.self, record, CodeColumn.values(of: record), unread: ["open_until"],
                read: CodeColumn.record(from:))
        }
    }()

    private static let attempts: [KeptRecord] = {
        let ways: [(LoginAttempt.Origin, LoginAttempt.Progress)] = [
            (.secondScreen, .atProvider), (.boxList, .accepted(sealedLogin: [1, 0])), (.secondScreen, .closed),
            (.foreignPage(redirectURL: "https://a.example"), .handedOver(sealedExchange: [2])),
            (.secondScreen, .completed), (.boxList, .answered),
        ]
        return ways.map { origin, progress in
            let attempt = Fixture.attempt(1, code: Fixture.code(1), origin: origin, progress: progress)
            return KeptRecord(
                "attempts", AttemptColumn.self, attempt, AttemptColumn.values(of: attempt), unread: ["expires"],
                read: AttemptColumn.attempt(from:))
        }
    }()

    private static let signIns: [KeptRecord] = {
        let records = [
            Fixture.authentication(1, Fixture.context(1)),
            AuthNRecord(
                id: Fixture.authenticationID(2), context: Fixture.context(2, appID: "app", deviceUser: "anna"),
                requestor: Fixture.northSport, isExclusive: true, mvpd: Fixture.cableNova, client: "c",
                userID: "viewer", code: Fixture.code(1), origin: .degraded, created: Fixture.now,
                expires: Fixture.now + .seconds(1), sealedSession: [1], providerSession: [0, 4], version: 3),
        ]
        let permit = Fixture.authorization(records[0], Fixture.resource("Ä"))
        let trial = Fixture.trial(1, [.device(Fixture.device(1))], resources: [Fixture.resource("A")])
        return records.map {
            KeptRecord(
                "authentications", AuthenticationColumn.self, $0, AuthenticationColumn.values(of: $0),
                read: AuthenticationColumn.record(from:))
        } + [
            KeptRecord(
                "authorizations", AuthorizationColumn.self, permit, AuthorizationColumn.values(of: permit),
                read: AuthorizationColumn.record(from:)),
            KeptRecord("trials", TrialColumn.self, trial, TrialColumn.values(of: trial)) {
                row throws(MemoryRow.Failure) in
                try TrialColumn.record(from: &row, identities: trial.identities, resources: trial.trial.resources)
            },
        ]
    }()

    private static let credentials: [KeptRecord] = {
        let pair = KeyPairRecord(
            publicKey: "k", sealedPrivateKey: [9, 0, 255], requestors: [Fixture.southNews], isServerToServer: true,
            created: Fixture.now, ends: Fixture.now + .seconds(1), label: "Küche")
        let application = ApplicationRecord(
            softwareID: "s", name: "Démo", version: "1.0", requestors: [Fixture.southNews],
            redirectTargets: ["sport.example"], scopes: ["z"], created: Fixture.now, ends: nil)
        let client = ClientRecord(
            clientID: "c", secretHash: [1], softwareID: "s", redirectURIs: ["b://x"], created: Fixture.now)
        let code = SetUpCodeRecord(
            hash: [1, 0, 255], requestor: Fixture.northSport, softwareID: "s", created: Fixture.now,
            expires: Fixture.now + .seconds(60), label: "Küche")
        return [
            KeptRecord("key_pairs", KeyPairColumn.self, pair, KeyPairColumn.values(of: pair)) {
                row throws(MemoryRow.Failure) in try KeyPairColumn.record(from: &row) { _ in pair.requestors }
            },
            KeptRecord(
                "applications", ApplicationColumn.self, application, ApplicationColumn.values(of: application)
            ) { row throws(MemoryRow.Failure) in
                try ApplicationColumn.record(
                    from: &row, requestors: application.requestors, targets: application.redirectTargets,
                    scopes: application.scopes)
            },
            KeptRecord("clients", ClientColumn.self, client, ClientColumn.values(of: client)) {
                row throws(MemoryRow.Failure) in
                try ClientColumn.record(from: &row, redirectURIs: client.redirectURIs)
            },
            KeptRecord(
                "set_up_codes", SetUpCodeColumn.self, code, SetUpCodeColumn.values(of: code),
                read: SetUpCodeColumn.record(from:)),
        ]
    }()

    private static let accounts: [KeptRecord] = {
        let account = Account(mvpd: Fixture.cableNova, id: "id", name: "anna", passwordHash: "$y$j9T$x", lineUp: ["A"])
        let passkey = Passkey(
            credential: [1, 0, 255], mvpd: Fixture.cableNova, account: "id", publicKey: [0xA0], isSyncable: true,
            signCount: .max, created: Fixture.now, lastUsed: Fixture.now + .seconds(1))
        return [
            KeptRecord("accounts", AccountColumn.self, account, AccountColumn.values(of: account)) {
                row throws(MemoryRow.Failure) in
                try AccountColumn.account(from: &row, lineUp: account.lineUp, metadata: [])
            },
            KeptRecord(
                "passkeys", PasskeyColumn.self, passkey, PasskeyColumn.values(of: passkey),
                read: PasskeyColumn.passkey(from:)),
        ]
    }()

    private static let operations: [KeptRecord] = {
        let rule = Fixture.rule(1)
        let entry = Fixture.audit(1)
        let counts = [Fixture.cableNova, nil].map { mvpd in
            ReportCount(
                ReportCount.Key(
                    hour: 5, requestor: Fixture.northSport, mvpd: mvpd,
                    model: BoxModel(deviceType: "STB", platform: "X"), event: .codeMade), count: 3)
        }
        return [
            KeptRecord("degradation_rules", RuleColumn.self, rule, RuleColumn.values(of: rule)) {
                row throws(MemoryRow.Failure) in try RuleColumn.rule(from: &row) { _ in rule.resources }
            },
            KeptRecord(
                "audit_log", AuditColumn.self, entry, AuditColumn.values(of: entry), read: AuditColumn.entry(from:)),
        ]
            + counts.map {
                KeptRecord(
                    "reports", ReportColumn.self, $0, ReportColumn.values(of: $0), read: ReportColumn.count(from:))
            }
    }()
}
