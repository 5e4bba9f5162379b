package import Clientless
import Cryptography
import Synchronization

/// A set-up code as the store keeps it: what it is for, under its keyed hash.
package struct SetUpCodeRecord: Hashable, Sendable {
    package let hash: [UInt8]
    package let requestor: RequestorID
    /// The application whose software statement it gives; `nil` for a code that gives a key pair.
    package let softwareID: String?
    package let created: Timestamp
    /// No longer accepted from this moment on.
    package let expires: Timestamp
    /// The person or box that the key pair is for, in the operator's words; `nil` if none was told.
    package let label: String?

    package init(
        hash: [UInt8], requestor: RequestorID, softwareID: String? = nil, created: Timestamp, expires: Timestamp,
        label: String? = nil
    ) {
        self.hash = hash
        self.requestor = requestor
        self.softwareID = softwareID
        self.created = created
        self.expires = expires
        self.label = label
    }

    /// Its name for operators: enough of the hash to tell codes apart, and nothing of the code.
    package var name: String { Self.name(of: self.hash) }

    package static func name(of hash: [UInt8]) -> String { Hex.encode(hash.prefix(4)) }
    package func isActive(at now: Timestamp) -> Bool { now < self.expires }

    package var auditName: String { "set-up code \(self.name)" }
}

/// A set-up code just made. It is shown once, and then only kept as a hash.
package typealias IssuedSetUpCode = (text: SetUpCodeText, record: SetUpCodeRecord)

package enum SetUpCredential: Sendable {
    case keyPair(IssuedKeyPair)
    /// Of the application that all boxes of a kind have.
    case softwareStatement(String, RequestorID)
}

/// One-time codes that an operator gives to the owner of a new box, who exchanges one for the box's credential.
///
/// A code is redeemed once, for a key pair that comes into being in the same transaction, or for a software statement that
/// is signed then. Wrong ones are counted against
/// their address as wrong registration codes are, but apart from those: neither kind closes the other's way.
package final class SetUpCodes: DomainPart {
    package static let lifetimes: ClosedRange<Duration> = .seconds(60) ... .seconds(7 * 24 * 3600)
    package static let usualLifetime: Duration = .seconds(3600)

    let parts: DomainParts
    let credentials: Credentials
    let guessing: Guessing
    /// Answers of the last minute, for boxes whose answer was lost on the way and that ask again at this node.
    private let given = Mutex<[[UInt8]: (credential: SetUpCredential, until: Duration)]>([:])
    /// Turns by code and nonce: a call that comes while the box's first is under way waits for the answer of that one.
    private let turns = SessionTurns()

    init(_ parts: DomainParts, credentials: Credentials, guessing: Guessing) {
        self.parts = parts
        self.credentials = credentials
        self.guessing = guessing
    }

    /// Makes a code for one box of `requestor`.
    /// - Parameters:
    ///   - application: whose software statement the box gets, one of `requestor`; `nil` for a key pair.
    ///   - label: whom the key pair is for, in the operator's words.
    package func issue(
        for requestor: RequestorID, application: ApplicationRecord? = nil, lifetime: Duration = usualLifetime,
        label: String? = nil, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> IssuedSetUpCode {
        precondition(
            application?.requestors.contains(requestor) ?? true, "an application is good for its own requestors")
        var generator = SecureRandomGenerator()
        let text = SetUpCodeText.random(using: &generator)
        let record = SetUpCodeRecord(
            hash: self.hash(of: text), requestor: requestor, softwareID: application?.softwareID, created: now,
            expires: now + lifetime, label: label)
        let kind = application.map { ", application \($0.softwareID)" } ?? ""
        let entry = AuditEntry(
            time: now, actor: actor, action: "set-up-code.create",
            subject: "\(record.auditName) for requestor \(requestor)\(kind)")
        try await stored(await self.store.insert(record, now: now, audit: entry))
        return (text, record)
    }

    /// The codes that are still good, the newest first.
    package func all(now: Timestamp) async throws(EntitlementError) -> [SetUpCodeRecord] {
        try await stored(await self.store.setUpCodes(at: now))
    }

    /// Takes back the codes with a name, before a box redeems them.
    /// - Returns: whether there was one.
    package func revoke(_ name: String, actor: String, now: Timestamp) async throws(EntitlementError) -> Bool {
        var isKnown = false
        for code in try await self.all(now: now) where code.name == name {
            let entry = AuditEntry(time: now, actor: actor, action: "set-up-code.revoke", subject: code.auditName)
            let wasTaken = try await stored(await self.store.takeSetUpCode(code.hash, keeping: nil, audit: [entry]))
            if wasTaken { self.onEnding(Ending(.setUpCode(code.hash), at: now)) }
            isKnown = wasTaken || isKnown
        }
        return isKnown
    }

    /// Exchanges a code for the credential it is for. One of several callers at once succeeds.
    /// - Parameters:
    ///   - nonce: made up by the box; with it the box gets the same answer again for a minute, at this node.
    ///   - sign: makes a software statement of an application.
    /// - Throws: `codeUnknown` for one that is unknown, used or over, or whose application is revoked; `tooManyAttempts`
    ///   before anything is looked up; `storeUnavailable`, and then the code may be used up, where the store cannot say so; `internal`.
    package func redeem(
        _ text: SetUpCodeText, nonce: String? = nil, by guesser: Guesser, now: Timestamp,
        sign: (ApplicationRecord) throws(EntitlementError) -> String
    ) async throws(EntitlementError) -> SetUpCredential {
        let key = nonce.map { self.keys.tokens.hash(of: "set-up-answer/\(text.text)/\($0)") }
        if let key, (try? await self.turns.take(key)) == nil { throw EntitlementError(.storeUnavailable) }
        defer { if let key { self.turns.pass(key) } }
        if let again = key.flatMap({ key in self.given.withLock { $0[key] } }), self.uptime() < again.until {
            return again.credential
        }
        switch self.guessing.admit(guesser, setUpCode: text, at: self.uptime()) {
        case .refused(let refusal): throw EntitlementError(refusal)
        case .knownWrong: throw EntitlementError(.codeUnknown)
        case .lookUp(let reservation):
            let given = try await self.exchange(self.hash(of: text), now: now, sign)
            reservation.settle(given == nil ? .unknown : .right, at: self.uptime())
            guard let given else { throw EntitlementError(.codeUnknown) }
            guard let key else { return given }
            let uptime = self.uptime()
            self.given.withLock { all in
                all = all.filter { uptime < $0.value.until }
                // Each is a code that an operator made.
                if all.count < 1000 { all[key] = (given, uptime + .seconds(60)) }
            }
            return given
        }
    }

    private func exchange(
        _ hash: [UInt8], now: Timestamp, _ sign: (ApplicationRecord) throws(EntitlementError) -> String
    ) async throws(EntitlementError) -> SetUpCredential? {
        guard let record = try await stored(await self.store.setUpCode(hash)), record.isActive(at: now)
        else { return nil }
        let name = record.auditName
        var entries = [AuditEntry(time: now, actor: name, action: "set-up-code.use", subject: name)]
        var issued: IssuedKeyPair?
        let given: SetUpCredential
        if let softwareID = record.softwareID {
            guard let application = self.credentials.activeApplication(softwareID, at: now) else { return nil }
            // Before the code is taken: one that cannot be signed leaves it as good as it was.
            given = .softwareStatement(try sign(application), record.requestor)
        } else {
            let pair = try self.credentials.newKeyPair(
                for: [record.requestor], isServerToServer: false, label: record.label, now: now)
            entries.append(Credentials.creation(of: pair.record, actor: name, now: now))
            (issued, given) = (pair, .keyPair(pair))
        }
        // Two boxes may have read the code: the store takes it once.
        guard try await stored(await self.store.takeSetUpCode(hash, keeping: issued?.record, audit: entries))
        else { return nil }
        self.onEnding(Ending(.setUpCode(hash), at: now))
        if let issued {
            // The code is spent, and the box has to get its key; if this fails the feed tells of it.
            try? await self.credentials.reload()
            self.report(.setUpCodeUsed(publicKey: issued.record.publicKey, record.requestor))
        }
        return given
    }

    /// The kept part of a code. The label keeps it apart from other hashes under the same key.
    private func hash(of text: SetUpCodeText) -> [UInt8] { self.keys.tokens.hash(of: "set-up-code/\(text.text)") }
}
