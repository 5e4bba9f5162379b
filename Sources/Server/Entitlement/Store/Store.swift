package import Clientless

/// Everything the server keeps. Each operation is one transition of the domain, atomic, and durable before it
/// returns; `now` is always the caller's. Every store passes the same conformance suite.
package protocol Store: CodeStore, AuthenticationStore, CredentialStore, AccountStore, TrialStore, OperationStore {
    /// What changed after `position`, oldest first, at most `limit`, in this process or another.
    ///
    /// Memory of earlier answers is only right up to the position it was brought to.
    func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> [StoreChange]

    /// The newest position; where a fresh reader of ``changes(after:limit:)`` starts.
    func latestChange() async throws(StoreError) -> ChangePosition

    /// Erases what nobody can need any more: final codes 24 hours after their end, attempts after theirs, AuthN records
    /// 30 days after expiry, nonces and changes out of their window. At most `limit` rows of each kind.
    /// - Returns: how many rows went.
    func purge(limit: Int, now: Timestamp) async throws(StoreError) -> Int
}

/// Registration codes and the logins that complete them.
package protocol CodeStore: Sendable {
    /// Keeps a new code unless its text is that of any kept, unpurged code.
    ///
    /// Of the codes of this requestor and device that are open (neither final nor expired at `now`), at most
    /// `limitPerDevice` stay, the new one included; the oldest become cancelled (rest-v1 11.1).
    func insert(
        _ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp
    ) async throws(StoreError) -> CodeInsertion

    /// The code as stored, also when it is over and not yet purged.
    func code(_ code: RegistrationCodeText) async throws(StoreError) -> RegistrationRecord?

    /// Swaps in `record.life` if the stored version still is `record.version`, and counts the version up. In the same
    /// transaction keeps `attempt` as given (if any) and `authentication` (if any); the latter replaces what its
    /// context held, with the AuthZ records of the replaced one.
    /// - Returns: false, and nothing changed, when the stored version is another or the code is gone.
    func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?
    ) async throws(StoreError) -> Bool

    /// Erases the code, of `requestor` if given. Tokens obtained with it stay (rest-v1 11.3).
    /// - Returns: the erased record; none when there was no such code.
    func deleteCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?
    ) async throws(StoreError) -> RegistrationRecord?

    /// How many codes are open at `now`. May be an estimate by one purge interval.
    func liveCodeCount(now: Timestamp) async throws(StoreError) -> Int

    /// The attempt with this ID, unless it ended before `now`.
    func attempt(_ id: AttemptID, now: Timestamp) async throws(StoreError) -> LoginAttempt?
}

/// AuthN and AuthZ records, and nonces.
package protocol AuthenticationStore: Sendable {
    /// All AuthN records of a device, newest first, expired ones too until they are purged.
    func authentications(of device: DeviceHash) async throws(StoreError) -> [AuthNRecord]

    /// Keeps an AuthN record that came about without a code, in place of what its context held; the AuthZ records of a
    /// replaced one go. A record with the ID of a kept one takes its place and keeps its AuthZ records.
    func save(_ authentication: AuthNRecord) async throws(StoreError)

    /// The AuthN record with this ID, also an expired one until it is purged.
    func authentication(_ id: AuthNID) async throws(StoreError) -> AuthNRecord?

    /// Erases one AuthN record with its AuthZ records, and keeps `audit` with that (if any, and if there was one).
    /// - Returns: the erased record; none when there was no such record.
    func deleteAuthentication(_ id: AuthNID, audit: AuditEntry?) async throws(StoreError) -> AuthNRecord?

    /// Erases the AuthN records `context` admits (see ``DeviceContext/admits(_:)``), with their AuthZ records, and
    /// keeps `audit` with that (if any).
    /// - Returns: the erased records.
    func deleteAuthentications(_ context: DeviceContext, audit: AuditEntry?) async throws(StoreError) -> [AuthNRecord]

    /// All decisions stored for a device, newest first, expired ones too.
    func authorizations(of device: DeviceHash) async throws(StoreError) -> [AuthZRecord]

    /// The decisions stored for a device and requestor on the given resources; expired ones too.
    func authorizations(
        of device: DeviceHash, requestor: RequestorID, resources: [Resource]
    ) async throws(StoreError) -> [AuthZRecord]

    /// Keeps a decision, in place of an older one for the same device, requestor and resource.
    /// - Returns: false, and nothing is kept, when its AuthN record is gone.
    func save(_ authorization: AuthZRecord) async throws(StoreError) -> Bool

    /// Erases the decision on one resource, if there is one.
    func deleteAuthorization(
        of device: DeviceHash, requestor: RequestorID, resource: Resource
    ) async throws(StoreError)

    /// Keeps a nonce of a key until `expires`.
    /// - Returns: false when the key used it before and that has not expired at `now`.
    func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool
}

/// What calls authenticate with.
package protocol CredentialStore: Sendable {
    /// All key pairs and applications, ended ones too.
    func credentials() async throws(StoreError) -> (keyPairs: [KeyPairRecord], applications: [ApplicationRecord])

    /// Keeps the key pair under its public key, and `audit` with it.
    func save(_ keyPair: KeyPairRecord, audit: AuditEntry) async throws(StoreError)

    /// Keeps the application under its software ID, and `audit` with it.
    func save(_ application: ApplicationRecord, audit: AuditEntry) async throws(StoreError)

    func insert(_ client: ClientRecord) async throws(StoreError)

    func client(_ clientID: String) async throws(StoreError) -> ClientRecord?
}

/// Viewers of local providers.
package protocol AccountStore: Sendable {
    func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account?

    /// All accounts, by provider and name.
    func accounts() async throws(StoreError) -> [Account]

    /// Keeps the account under provider and name.
    func save(_ account: Account) async throws(StoreError)

    /// - Returns: whether there was such an account.
    func deleteAccount(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Bool
}

/// Trials of TempPass providers (rest-v1 20).
package protocol TrialStore: Sendable {
    /// The trial of any of `identities`; when several are found, that of the earliest in the list.
    func trial(
        of identities: [TrialIdentity], requestor: RequestorID, mvpd: MVPDID
    ) async throws(StoreError) -> TrialRecord?

    /// Swaps in `record` if the stored version still is `record.version`, or keeps it if it is new (version 0) and none
    /// of its identities has a trial yet, and counts the version up.
    /// - Returns: false, and nothing changed, otherwise.
    func replace(_ record: TrialRecord) async throws(StoreError) -> Bool

    /// Forgets the trials of a requestor and provider: of one identity, or all. Keeps `audit` with that.
    /// - Returns: how many were forgotten.
    func resetTrials(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, audit: AuditEntry
    ) async throws(StoreError) -> Int
}

/// What operators set, and the log of it (rest-v1 25).
package protocol OperationStore: Sendable {
    /// Keeps each rule under its ID, and `audit` with them.
    func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError)

    /// The rules that end after `moment`, by activation.
    func degradationRules(endingAfter moment: Timestamp) async throws(StoreError) -> [DegradationRule]

    /// The newest entries of the audit log, newest first. It has one entry for each change an operator made, kept in
    /// the transaction of the change.
    func auditEntries(limit: Int) async throws(StoreError) -> [AuditEntry]
}
