import Clientless
import Entitlement
import StoreFixtures

/// The store protocol in the plainest words: dictionaries and loops. What it answers, every store has to answer.
struct StoreModel {
    private struct Nonce: Hashable {
        let key: String
        let nonce: String
    }

    /// In the order they were kept.
    private(set) var codes: [RegistrationRecord] = []
    private(set) var attempts: [AttemptID: LoginAttempt] = [:]
    /// In the order they were kept.
    private(set) var authentications: [AuthNRecord] = []
    private(set) var authorizations: [AuthZRecord] = []
    private var nonces: [Nonce: Timestamp] = [:]
    /// What the last operations told the feed.
    private(set) var changes: Set<StoreChange> = []

    mutating func takeChanges() -> Set<StoreChange> {
        defer { self.changes = [] }
        return self.changes
    }

    private static func isOpen(_ record: RegistrationRecord, at now: Timestamp) -> Bool {
        switch record.life.state(at: now) {
        case .waiting, .opened, .loggingIn, .confirming: true
        case .completed, .declined, .cancelled, .expired: false
        }
    }

    mutating func insert(_ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp) -> CodeInsertion {
        guard self.code(record.code) == nil else { return .taken }
        let rivals = self.codes.enumerated()
            .filter {
                $1.context.device == record.context.device && $1.requestor == record.requestor
                    && Self.isOpen($1, at: now)
            }
            .sorted { ($0.element.life.generated, $0.offset) < ($1.element.life.generated, $1.offset) }
        self.codes.append(record)
        let surplus = rivals.prefix(max(0, rivals.count + 1 - limitPerDevice))
        for (place, rival) in surplus {
            self.codes[place].life = RegistrationCode(
                generated: rival.life.generated, expires: rival.life.expires, state: .cancelled)
            self.codes[place].version += 1
            self.codes[place].hideRawData()
            self.changes.insert(.code(rival.code))
        }
        return .inserted(cancelled: surplus.map(\.element.code))
    }

    func code(_ code: RegistrationCodeText) -> RegistrationRecord? { self.codes.first { $0.code == code } }

    mutating func replace(
        _ record: RegistrationRecord, attempt: LoginAttempt?, creating authentication: AuthNRecord?
    ) -> Bool {
        guard let place = self.codes.firstIndex(where: { $0.code == record.code && $0.version == record.version })
        else { return false }
        self.codes[place].life = record.life
        self.codes[place].version += 1
        if !self.codes[place].isOpen { self.codes[place].hideRawData() }
        self.changes.insert(.code(record.code))
        if var attempt {
            if let older = self.attempts[attempt.id] { attempt.version = older.version + 1 }
            self.attempts[attempt.id] = attempt
        }
        if let authentication {
            self.insert(authentication)
            if let code = authentication.code { self.changes.insert(.code(code)) }
        }
        return true
    }

    mutating func insert(_ record: AuthNRecord) {
        let ended = Set(record.ended(among: self.authentications(of: record.context.device)).map(\.id))
        self.erase { ended.contains($0.id) }
        self.authentications.append(record)
        self.changes.insert(.device(record.context.device))
    }

    mutating func update(_ record: AuthNRecord) -> Bool {
        guard
            let place = self.authentications.firstIndex(where: { $0.id == record.id && $0.version == record.version })
        else { return false }
        self.authentications[place].expires = record.expires
        self.authentications[place].sealedSession = record.sealedSession
        self.authentications[place].providerSession = record.providerSession
        self.authentications[place].version += 1
        self.changes.insert(.device(record.context.device))
        return true
    }

    func authentications(_ selection: AuthNSelection) -> [AuthNRecord] {
        self.authentications.filter(selection.selects).sorted { $0.id.text < $1.id.text }
    }

    mutating func deleteAuthentications(_ selection: AuthNSelection) -> [AuthNRecord] { self.erase(selection.selects) }

    func authentication(_ id: AuthNID) -> AuthNRecord? { self.authentications.first { $0.id == id } }

    mutating func deleteAuthentication(_ id: AuthNID) -> AuthNRecord? { self.erase { $0.id == id }.first }

    /// Erases AuthN records with what belongs to them.
    @discardableResult
    private mutating func erase(_ isDoomed: (AuthNRecord) -> Bool) -> [AuthNRecord] {
        let doomed = self.authentications.filter(isDoomed)
        let ids = Set(doomed.map(\.id))
        self.authentications.removeAll { ids.contains($0.id) }
        self.authorizations.removeAll { ids.contains($0.authentication) }
        for record in doomed {
            self.changes.insert(.device(record.context.device))
            if let code = record.code { self.changes.insert(.code(code)) }
        }
        return doomed
    }

    mutating func deleteCode(_ code: RegistrationCodeText, of requestor: RequestorID?) -> RegistrationRecord? {
        guard
            let place = self.codes.firstIndex(where: {
                $0.code == code && (requestor == nil || $0.requestor == requestor)
            })
        else { return nil }
        self.changes.insert(.code(code))
        return self.codes.remove(at: place)
    }

    func openCodeCount(at now: Timestamp) -> Int { self.codes.count { Self.isOpen($0, at: now) } }

    mutating func update(_ attempt: LoginAttempt) -> Bool {
        guard var stored = self.attempts[attempt.id], stored.version == attempt.version else { return false }
        stored.progress = attempt.progress
        stored.version += 1
        self.attempts[attempt.id] = stored
        return true
    }

    func login(_ id: AttemptID, now: Timestamp) -> StoredLogin? {
        guard let attempt = self.attempts[id], now < attempt.expires, let record = self.code(attempt.code)
        else { return nil }
        return (attempt, record)
    }

    func authentications(of device: DeviceHash) -> [AuthNRecord] {
        self.authentications.enumerated().filter { $1.context.device == device }
            .sorted { ($0.element.created, $0.offset) > ($1.element.created, $1.offset) }.map(\.element)
    }

    mutating func deleteAuthentications(_ context: DeviceContext) -> [AuthNRecord] {
        self.erase { context.admits($0.context) }
    }

    func authorizations(of device: DeviceHash) -> [AuthZRecord] {
        self.authorizations.filter { $0.device == device }.sorted { $0.created > $1.created }
    }

    func authorizations(of id: AuthNID, requestor: RequestorID, resources: [Resource]) -> [AuthZRecord] {
        resources.flatMap { resource in
            self.authorizations.filter {
                $0.authentication == id && $0.requestor == requestor && $0.resource == resource
            }
        }
    }

    mutating func save(_ authorization: AuthZRecord, limit: Int) -> Bool {
        guard self.authentications.contains(where: { $0.id == authorization.authentication }) else { return false }
        self.erase(authorization)
        let others = self.authorizations.filter { $0.authentication == authorization.authentication }
            .sorted {
                ($0.created, $0.requestor.text, $0.resource.text) < ($1.created, $1.requestor.text, $1.resource.text)
            }
        for record in others.prefix(max(0, others.count + 1 - limit)) { self.erase(record) }
        self.authorizations.append(authorization)
        return true
    }

    mutating func deleteAuthorization(of id: AuthNID, requestor: RequestorID, resource: Resource) {
        for record in self.authorizations(of: id, requestor: requestor, resources: [resource]) {
            self.erase(record)
            self.changes.insert(.device(record.device))
        }
    }

    private mutating func erase(_ decision: AuthZRecord) {
        self.authorizations.removeAll {
            $0.authentication == decision.authentication && $0.requestor == decision.requestor
                && $0.resource == decision.resource
        }
    }

    mutating func takeNonce(_ nonce: String, publicKey: String, expires: Timestamp, now: Timestamp) -> Bool {
        let nonce = Nonce(key: publicKey, nonce: nonce)
        if let known = self.nonces[nonce], now < known { return false }
        self.nonces[nonce] = expires
        return true
    }

    /// Without limit, and without the feed of changes.
    mutating func purge(now: Timestamp) {
        self.codes.removeAll { $0.life.expires + .seconds(24 * 3600) <= now }
        for place in self.codes.indices where self.codes[place].life.expires <= now { self.codes[place].hideRawData() }
        self.attempts = self.attempts.filter { now < $0.value.expires }
        let changes = self.changes
        self.erase { $0.expires + .seconds(30 * 24 * 3600) <= now }
        self.authorizations.removeAll { $0.expires + .seconds(24 * 3600) <= now }
        self.changes = changes
        self.nonces = self.nonces.filter { now < $0.value }
    }
}

extension RegistrationRecord {
    /// Stored as one that a box may still be signed in with.
    fileprivate var isOpen: Bool {
        switch self.life.storedState {
        case .waiting, .opened, .loggingIn, .confirming: true
        case .completed, .declined, .cancelled, .expired: false
        }
    }

    /// What a store keeps of a code that is over or completed.
    fileprivate mutating func hideRawData() { self = self.withoutRawData() }
}

extension EndedSelection {
    func selects(_ ended: EndedSignIn) -> Bool {
        (self.id.map { $0 == ended.id } ?? true) && (self.device.map { $0 == ended.device } ?? true)
            && (self.mvpd.map { $0 == ended.mvpd } ?? true) && (self.userID.map { $0 == ended.userID } ?? true)
            && (self.requestor.map { $0 == ended.requestor } ?? true) && (self.devices?.contains(ended.device) ?? true)
            && (self.since.map { $0 <= ended.end.time } ?? true) && (self.before.map { $0 > ended.end.time } ?? true)
    }
}
