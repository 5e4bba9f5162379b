package import Clientless

/// Everything the server keeps. Each operation is one transition of the domain.
///
/// Rules of all operations:
/// - One that changes something is atomic and, when it returns, durable; when it throws, nothing changed. Only
///   `.unavailable` of a store on another machine that was lost in the moment of a commit, and not found again in time or
///   replaced by its standby, may mean that all of it was kept.
/// - Operations behave as if they ran one after the other, on however many nodes. A read sees every change that any
///   node was told of before the read began.
/// - `now` is always the caller's; a store goes by no clock, and only tells what its machine's shows.
/// - Texts are compared byte for byte.
/// - An `audit` entry is kept in the transaction of the change it tells of.
///
/// Every store passes the same conformance suite, and these comments say all that the suite checks.
package protocol Store: ChangeFeed, CodeStore, AuthenticationStore, CredentialStore, AccountStore, TrialStore,
    OperationStore, ReportStore, Housekeeping
{
    /// Finds out whether a change would be kept now, by making one that is of no consequence.
    /// - Throws: why no change would be kept.
    func readiness() async throws(StoreError)

    /// Finishes what is under way and lets go of the data. Every later call throws `.unavailable`.
    func close() async
}

/// A store that can say whether it is whole.
package protocol CheckableStore: Store {
    /// Looks for damage, and for settings under which promises are not kept. A store that is a file of this machine reads every
    /// page, index and reference of it; for another its server is asked, which knows more by tools of its own.
    /// - Returns: what is wrong, in the store's words; empty when nothing is.
    func integrityCheck() async throws(StoreError) -> [String]
}

/// A store whose data are a file of this machine.
package protocol EmbeddedStore: CheckableStore {
    /// Writes a copy of the data as of one moment into a new file, mode 0600, while the server goes on.
    ///
    /// The copy appears under its name when it is complete and on the disk. For the feed of changes its data have
    /// another life: positions of the original are a gap there.
    /// - Throws: `.unavailable` when `copy` exists; `.full`, `.readOnly`.
    func backup(to copy: String) async throws(StoreError)

    /// Closes the store and leaves it as ``backup(to:)`` does: the log of another store beside it is then noticed.
    func closeAsCopy() async

    /// How the writer and the readers of this process fared so far.
    var statistics: StoreStatistics { get }
}

/// The changes, for memory of earlier answers. Memory is right up to the position it was brought to, and no further.
package protocol ChangeFeed: Sendable {
    /// The newest position. A reader takes it before it reads anything that it wants to remember, and starts from it.
    func latestChange() async throws(StoreError) -> ChangePosition

    /// The changes after `position`, by this or another node, in the order of the transactions.
    ///
    /// A page holds whole transactions and ends with the one that brings it to `limit` changes or beyond; it holds at
    /// least one transaction when there is one. Within a transaction devices come first, and each change comes once:
    /// a reader of a completed code then never looks for a sign-in with the device's old records in mind.
    ///
    /// The feed tells of these: the device of a sign-in that is kept, changed or erased, and the code of one that is
    /// erased or was obtained through another code than the one that is swapped; a code that is swapped, cancelled or
    /// erased; a client that is erased; key pairs and applications; degradation rules; accounts that are changed or
    /// erased. The feed does not tell of new codes, nor of what a purge erases, but for clients.
    /// - Returns: `.gap` when the store erased changes after `position`, does not know `position`, or its data are
    ///   others than those `position` came from, such as a copy that was put back.
    ///   `.heldUp` follows pages of changes that say that there is more.
    func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> ChangePage

    /// Whether a change is kept that is not told of yet.
    var hasUntoldChange: Bool { get async throws(StoreError) }

    /// Returns when something changed after `position`, at once when it did already; at the latest after `timeout` or
    /// when the task is cancelled. Returning early is no error: the caller looks into the feed.
    func waitForChange(after position: ChangePosition, timeout: Duration) async
}

/// Registration codes and the logins that complete them.
package protocol CodeStore: Sendable {
    /// Keeps a new code unless its text is that of any kept, unpurged code.
    ///
    /// Of the codes of this requestor and device that are open (neither final nor expired at `now`), at most
    /// `limitPerDevice` stay, the new one included; the oldest become cancelled, each with its version counted up
    /// (rest-v1 11.1).
    func insert(
        _ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp
    ) async throws(StoreError) -> CodeInsertion

    /// The code as stored, also when it is over and not yet purged.
    ///
    /// A code that was swapped to completed, declined, cancelled or expired has the hash of the device in lower-case
    /// hex in place of the raw device ID. It has neither the box's address, user agent nor device information. The same
    /// holds from the next purge on for a code whose time is over.
    func code(_ code: RegistrationCodeText) async throws(StoreError) -> RegistrationRecord?

    /// Swaps in `record.life` if the stored code still has `record.id` and `record.version`, and counts the version up. The
    /// same transaction keeps `attempt` as given (if any), but for its version, which is one more than that of the attempt
    /// it takes the place of, and `authentication` (if any), as ``AuthenticationStore/insert(_:)`` does, and
    /// `audit` (if any).
    /// - Returns: false, and nothing changed, when the stored version is another, or the code is gone or another box's.
    func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?, audit: AuditEntry?
    ) async throws(StoreError) -> Bool

    /// Erases the code, of `requestor` if given. Tokens obtained with it stay (rest-v1 11.3).
    /// - Returns: the erased record; `nil` when there was no such code.
    func deleteCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?
    ) async throws(StoreError) -> RegistrationRecord?

    /// The codes that are open at `now`, at most `limit`: those that expire last first, of the same moment the one that
    /// was made last, of those in the order of their texts. Those of viewers who look at their boxes
    /// (``RegistrationRecord/isOfBoxList``) never count as open.
    func openCodes(now: Timestamp, limit: Int) async throws(StoreError) -> [RegistrationRecord]

    /// How many codes are open at `now`. May be an estimate by some percent where they are more than 100,000.
    func liveCodeCount(now: Timestamp) async throws(StoreError) -> Int

    /// Swaps in the progress of `attempt` if the stored version still is its version, and counts the version up.
    /// The feed does not tell of it.
    /// - Returns: false, and nothing changed, when the stored version is another or the attempt is gone.
    func update(_ attempt: LoginAttempt) async throws(StoreError) -> Bool

    /// The attempt with this ID and the code it names, as ``code(_:)`` returns it; `nil` if the attempt ended before `now`,
    /// or either is gone.
    func login(_ id: AttemptID, now: Timestamp) async throws(StoreError) -> StoredLogin?
}

/// AuthN and AuthZ records, and nonces.
package protocol AuthenticationStore: Sendable {
    /// The newest AuthN records of a device, at most `limit`, newest first, expired ones too until they are purged. Of
    /// two of the same moment the one kept later is the newer.
    func authentications(of device: DeviceHash, limit: Int) async throws(StoreError) -> [AuthNRecord]

    /// Keeps a new AuthN record as given, and erases those that end by it (``AuthNRecord/ended(among:)``),
    /// with their AuthZ records; their end is ``SignInEnd/init(replacedBy:)``.
    /// - Throws: `.conflict` when a record has its ID.
    func insert(_ authentication: AuthNRecord) async throws(StoreError)

    /// Swaps in the end and the sessions of `authentication` if the stored version still is its version, and counts
    /// the version up. Its AuthZ records stay, its place in the order too, and no other record is touched.
    /// - Returns: false, and nothing changed, when the stored version is another or the record is gone.
    func update(_ authentication: AuthNRecord) async throws(StoreError) -> Bool

    /// The AuthN record with this ID, also an expired one until it is purged.
    func authentication(_ id: AuthNID) async throws(StoreError) -> AuthNRecord?

    /// The selected AuthN records in the order of their IDs, from the one after `previous` on, at most `limit`;
    /// expired ones too.
    func authentications(
        _ selection: AuthNSelection, after previous: AuthNID?, limit: Int
    ) async throws(StoreError) -> [AuthNRecord]

    /// The newest of the selected AuthN records, at most `limit`, newest first, expired ones too; of the same moment the one
    /// whose ID is the greatest.
    /// - Parameter last: of an earlier page: those behind it.
    func newestAuthentications(
        _ selection: AuthNSelection, before last: AuthNRecord?, limit: Int
    ) async throws(StoreError) -> [AuthNRecord]

    /// Erases one AuthN record with its AuthZ records, and keeps `audit` with that (if any, and if there was one). An
    /// ``EndedSignIn`` stays of each record that is erased with an `end`, as far as there is one of it, until it is purged.
    /// - Returns: the erased record; `nil` when there was no such record.
    func deleteAuthentication(
        _ id: AuthNID, as end: SignInEnd, audit: AuditEntry?
    ) async throws(StoreError) -> AuthNRecord?

    /// Erases the AuthN records `context` admits (see ``DeviceContext/admits(_:)``), with their AuthZ records, and
    /// keeps `audit` (if any), also when there were none.
    /// - Returns: the erased records.
    func deleteAuthentications(
        _ context: DeviceContext, as end: SignInEnd, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord]

    /// Erases at most `limit` of the selected AuthN records, with their AuthZ records, and keeps `audit` (if any), also
    /// when there were none. The caller asks again until none comes back: some may be erased by others meanwhile.
    /// - Returns: the erased records.
    func deleteAuthentications(
        _ selection: AuthNSelection, limit: Int, as end: SignInEnd, audit: AuditEntry?
    ) async throws(StoreError) -> [AuthNRecord]

    /// The selected sign-ins that were erased with an end, the one that ended last first, of the same moment the one that was
    /// erased last; at most `limit`.
    func endedSignIns(_ selection: EndedSelection, limit: Int) async throws(StoreError) -> [EndedSignIn]

    /// All decisions stored for a device, newest first, expired ones too until they are purged.
    func authorizations(of device: DeviceHash) async throws(StoreError) -> [AuthZRecord]

    /// When the newest of the decisions was made that each sign-in of a device has; none for a sign-in without decisions.
    func lastDecisions(on device: DeviceHash) async throws(StoreError) -> [AuthNID: Timestamp]

    /// The decisions stored for a sign-in and requestor on the given resources, in their order; expired ones too.
    func authorizations(
        of authentication: AuthNID, requestor: RequestorID, resources: [Resource]
    ) async throws(StoreError) -> [AuthZRecord]

    /// Keeps a decision, in place of an older one for the same sign-in, requestor and resource. At most `limit`
    /// decisions of the sign-in stay, the new one included; the oldest go.
    /// - Returns: false, and nothing is kept, when its AuthN record is gone.
    func save(_ authorization: AuthZRecord, limit: Int) async throws(StoreError) -> Bool

    /// Erases the decision of one sign-in on one resource, if there is one.
    func deleteAuthorization(
        of authentication: AuthNID, requestor: RequestorID, resource: Resource
    ) async throws(StoreError)

    /// Keeps a nonce of a key until `expires`. A refused one does not live longer for it.
    /// - Parameter isPassing: whether it need not be durable when this returns. A nonce kept within the last second may then
    ///   be lost with the machine that the store is on.
    /// - Returns: false when the key used it before and that has not expired at `now`.
    /// - Throws: an error whose code is passing (``StoreError/Code/isPassing``) when nothing can be kept now.
    func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp, isPassing: Bool
    ) async throws(StoreError) -> Bool

    /// Whether a key used one of `nonces` and that is kept until after `moment`.
    func hasNonce(among nonces: [String], publicKey: String, after moment: Timestamp) async throws(StoreError) -> Bool
}

extension AuthenticationStore {
    package func takeNonce(
        _ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.takeNonce(nonce, publicKey: publicKey, expires: expires, now: now, isPassing: false)
    }
}

package protocol CredentialStore: Sendable {
    /// All key pairs and applications, ended ones too.
    func credentials() async throws(StoreError) -> (keyPairs: [KeyPairRecord], applications: [ApplicationRecord])

    /// Keeps the key pair under its public key, in place of one that has it, and `audit` with it.
    func save(_ keyPair: KeyPairRecord, audit: AuditEntry) async throws(StoreError)

    /// Keeps the application under its software ID, in place of one that has it, and `audit` with it.
    func save(_ application: ApplicationRecord, audit: AuditEntry) async throws(StoreError)

    /// Lets a key pair end at `moment`, unless it ends earlier already; keeps `audit` when that changed its end.
    /// - Returns: the key pair as it is now; `nil` when there is none.
    func endKeyPair(
        _ publicKey: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> KeyPairRecord?

    /// Puts the private half of a key pair, sealed anew, in the place of `old`; nothing else of the pair changes.
    /// - Returns: false, and nothing changed, when `old` is not what is stored or there is no such key pair.
    func reseal(_ publicKey: String, from old: [UInt8], to new: [UInt8]) async throws(StoreError) -> Bool

    /// Lets an application end at `moment`, unless it ends earlier already; keeps `audit` when that changed its end.
    /// - Returns: the application as it is now; `nil` when there is none.
    func endApplication(
        _ softwareID: String, at moment: Timestamp, audit: AuditEntry
    ) async throws(StoreError) -> ApplicationRecord?

    /// Keeps a new set-up code, and `audit` with it; erases those that are over at `now`.
    /// - Throws: `.conflict` when a code has its hash.
    func insert(_ code: SetUpCodeRecord, now: Timestamp, audit: AuditEntry) async throws(StoreError)

    /// The set-up code with this hash, also one that is over until it is erased.
    func setUpCode(_ hash: [UInt8]) async throws(StoreError) -> SetUpCodeRecord?

    /// Every set-up code that is not over at `now`, the newest first.
    func setUpCodes(at now: Timestamp) async throws(StoreError) -> [SetUpCodeRecord]

    /// Erases a set-up code and keeps `keyPair`, if there is one, as `save` does, and `audit`: all or nothing.
    /// - Returns: false, and nothing changed, when there is no such code any more.
    func takeSetUpCode(
        _ hash: [UInt8], keeping keyPair: KeyPairRecord?, audit: [AuditEntry]
    ) async throws(StoreError) -> Bool

    /// Keeps a new client.
    /// - Returns: false, and nothing is kept, when `quota.number` clients of its application registered since
    ///   `quota.since`.
    /// - Throws: `.conflict` when a client has its ID.
    func insert(_ client: ClientRecord, quota: ClientQuota?) async throws(StoreError) -> Bool

    func client(_ clientID: String) async throws(StoreError) -> ClientRecord?

    /// The clients of an application without their redirect addresses, the newest first.
    func clients(of softwareID: String, limit: Int) async throws(StoreError) -> [ClientRecord]

    /// Notes that a client was used at `moment`, unless it was used later already. Unknown clients are passed over.
    func markUsed(_ clientID: String, at moment: Timestamp) async throws(StoreError)

    /// Erases a client, and keeps `audit` with that if there was one.
    /// - Returns: whether there was such a client.
    func deleteClient(_ clientID: String, audit: AuditEntry) async throws(StoreError) -> Bool
}

/// Viewers of local providers.
package protocol AccountStore: Sendable {
    func account(_ name: String, of mvpd: MVPDID) async throws(StoreError) -> Account?

    /// The account with this ID, which no other account of the provider ever has.
    func account(id: String, of mvpd: MVPDID) async throws(StoreError) -> Account?

    /// All accounts, by provider and name.
    func accounts() async throws(StoreError) -> [Account]

    /// Keeps a new account under provider and name, and `audit` with it (if any).
    /// - Returns: false, and nothing is kept, when the name or the ID is taken.
    func insert(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool

    /// Swaps in `account` if the stored one of this provider, name and ID still has its version, and counts the version
    /// up; keeps `audit` with that (if any).
    /// - Returns: false, and nothing changed, when it was changed or erased meanwhile.
    func replace(_ account: Account, audit: AuditEntry?) async throws(StoreError) -> Bool

    /// Erases an account with its passkeys, and keeps `audit` with that (if any, and if there was one).
    /// - Returns: the erased account; `nil` when there was no such account.
    func deleteAccount(_ name: String, of mvpd: MVPDID, audit: AuditEntry?) async throws(StoreError) -> Account?

    /// The passkeys of the account with this ID, the oldest first.
    func passkeys(of account: String, at mvpd: MVPDID) async throws(StoreError) -> [Passkey]

    /// The passkey with this credential, whosever it is.
    func passkey(_ credential: [UInt8]) async throws(StoreError) -> Passkey?

    /// Keeps a new passkey, and `audit` with it.
    /// - Returns: false, and nothing is kept, when its account is gone or has `limit` passkeys already, or another passkey
    ///   has its credential.
    func insert(_ passkey: Passkey, limit: Int, audit: AuditEntry) async throws(StoreError) -> Bool

    /// Notes that a passkey was used at `now`, and what its authenticator has counted, if the stored one still counts what
    /// `passkey` does.
    /// - Returns: false, and nothing changed, when it was used or erased meanwhile.
    func noteUse(of passkey: Passkey, counted: UInt32, now: Timestamp) async throws(StoreError) -> Bool

    /// Erases a passkey, and keeps `audit` with that if there was one.
    /// - Returns: whether there was such a passkey.
    func deletePasskey(_ credential: [UInt8], audit: AuditEntry) async throws(StoreError) -> Bool
}

/// Trials of TempPass providers (rest-v1 20).
package protocol TrialStore: Sendable {
    /// The trial of any of `identities`; when several are found, that of the earliest in the list.
    func trial(
        of identities: [TrialIdentity], requestor: RequestorID, mvpd: MVPDID
    ) async throws(StoreError) -> TrialRecord?

    /// Swaps in `record` if the stored version still is `record.version`, or keeps it if it is new (version 0) and none
    /// of its identities has a trial yet, and counts the version up. An identity that is in another trial of the
    /// requestor and provider stays there.
    /// - Returns: false, and nothing changed, otherwise.
    func replace(_ record: TrialRecord) async throws(StoreError) -> Bool

    /// The same, and keeps `permit` as ``AuthenticationStore/save(_:limit:)`` does: both or nothing, so that a trial
    /// does not begin for a device that was signed out meanwhile.
    func replace(_ record: TrialRecord, keeping permit: AuthZRecord, limit: Int) async throws(StoreError) -> TrialUse

    /// Forgets trials of a requestor and provider: that of one identity, or at most `limit` of all. Keeps `audit` (if
    /// any), also when there were none. The caller asks again until fewer than `limit` were forgotten.
    /// - Returns: how many were forgotten.
    func resetTrials(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Int
}

/// The operators' settings, and the log of them (rest-v1 25).
package protocol OperationStore: Sendable {
    /// Keeps each rule that is new (version 0 and an ID that no rule has), swaps in each whose stored version still is
    /// its version, counts the versions up, and keeps `audit` with them.
    /// - Returns: false, and nothing changed, when one of them is neither.
    func save(_ rules: [DegradationRule], audit: AuditEntry) async throws(StoreError) -> Bool

    /// The rules that end after `moment`, by activation, then by ID.
    func degradationRules(endingAfter moment: Timestamp) async throws(StoreError) -> [DegradationRule]

    /// Keeps an entry that tells of a change outside the store.
    func log(_ entry: AuditEntry) async throws(StoreError)

    /// The newest of the selected entries of the audit log, newest first, at most `limit`. It has one entry for each change
    /// an operator made. The order is that of the changes, whatever their times; a part of a text is found in any case of
    /// its ASCII letters, and other letters as they are.
    func auditEntries(_ selection: AuditSelection, limit: Int) async throws(StoreError) -> [AuditEntry]
}

extension OperationStore {
    /// The newest entries of the audit log, newest first.
    package func auditEntries(limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await self.auditEntries(AuditSelection(), limit: limit)
    }
}

/// The events of boxes, counted by the hour.
package protocol ReportStore: Sendable {
    /// Adds each count to that of its key; one without a row gets one. The feed does not tell of them.
    /// - Parameter batch: a name of these counts, which is remembered until `end`.
    /// - Throws: `.conflict`, and nothing is added, when a batch of this name was added before.
    func add(_ counts: [ReportCount], batch: String, until end: Timestamp) async throws(StoreError)

    /// The selected counts by hour, then by the rest of their keys in the order of their texts, at most `limit`. Those that
    /// the selection does not tell apart come as one.
    func reportCounts(_ selection: ReportSelection, limit: Int) async throws(StoreError) -> [ReportCount]
}

/// Keeping a store small.
package protocol Housekeeping: Sendable {
    /// Whether several nodes may serve from the store at once.
    var isShared: Bool { get }

    /// The time on the machine of the store; `nil` if that is this machine.
    func clock() async throws(StoreError) -> Timestamp?

    /// Erases what is over for longer than `retention` says, the oldest first, at most `limit` rows of each kind: codes,
    /// sign-ins (with their decisions), decisions, degradation rules, clients, changes, entries of the audit log, counts
    /// of reports. Nonces, attempts and set-up codes go at their end, trials at the moment they name; the raw data
    /// goes off codes whose time is over (``CodeStore/code(_:)``). All of that waits for ``StoreRetention/leastStay``. Notes `now` as the moment of
    /// the last purge.
    ///
    /// The domain calls it only with a clock it believes, because what is erased is gone.
    func purge(_ retention: StoreRetention, limit: Int, now: Timestamp) async throws(StoreError) -> PurgeOutcome

    /// The `now` of the last purge, or what ``confirm(_:)`` set last; `nil` before the first.
    func lastPurge() async throws(StoreError) -> Timestamp?

    /// Sets what ``lastPurge()`` answers: an operator vouches for the time.
    func confirm(_ now: Timestamp, audit: AuditEntry?) async throws(StoreError)

    /// Takes a task that one node does at a time, or keeps it.
    ///
    /// It is free when no one holds it, when the holder's time is over at `now`, and when the holder's time ends more
    /// than twice `duration` after `now`: then it was taken by a wrong clock, and not by one that is a little ahead.
    /// - Returns: whether `holder` has it now, until `duration` after `now`.
    func takeLease(
        _ task: String, holder: String, for duration: Duration, now: Timestamp
    ) async throws(StoreError) -> Bool

    /// The holder of each task whose time ends within `ends`; one that was let go of has ended.
    func leases(_ ends: Range<Timestamp>) async throws(StoreError) -> [String: String]
}
