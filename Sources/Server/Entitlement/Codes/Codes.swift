package import Clientless
import Synchronization

/// Registration codes: issuing, finding and withdrawing them, and what each is to the box that polls it.
package final class Codes: DomainPart {
    let parts: DomainParts
    let signIns: SignIns
    let guessing: Guessing
    let issuance: IssuanceLimiter?
    private let codesPerDevice: Int
    private let codesBeforeLongerCodes: Int
    /// The number of open codes, exact at every ``countOpenCodes(now:)``.
    private let openCodes = Atomic<Int>(0)

    init(_ parts: DomainParts, signIns: SignIns, guessing: Guessing) {
        self.parts = parts
        self.signIns = signIns
        self.guessing = guessing
        self.issuance = parts.limits.issuance.map { IssuanceLimiter($0, nodes: parts.nodes) }
        self.codesPerDevice = parts.limits.codesPerDevice
        self.codesBeforeLongerCodes = parts.limits.codesBeforeLongerCodes
    }

    /// Issues a code for a box (rest-v1 11.1).
    ///
    /// - Parameters:
    ///   - caller: who asks; its networks have so many codes an hour.
    ///   - credential: the public key or client ID that proved the call, when it is one that boxes carry, and so no
    ///     secret; its codes live for ``IssuanceLimiter/longestLifetimeOfPublic`` at most.
    /// - Throws: `unknownRequestor`, `tooManyAttempts`, `storeUnavailable`.
    package func createCode(
        _ request: CodeRequest, for lifetime: Duration, by caller: Guesser, credential: String?, now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord {
        guard let strictness = self.catalogue.requestor(request.requestor)?.strictness
        else { throw EntitlementError(.unknownRequestor) }
        let lifetime = credential == nil ? lifetime : min(lifetime, IssuanceLimiter.longestLifetimeOfPublic)
        return try await self.issue(
            within: self.issuance, to: caller, bytes: request.size, credential: credential
        ) { () throws(EntitlementError) in
            let record = try await self.insert(request, of: strictness, lifetime: lifetime, now: now)
            self.guessing.noteIssued(
                record.code, to: caller.address, until: self.uptime() + lifetime + RegistrationCode.grace)
            self.tell(.codeMade, of: record, at: request.mvpd, network: caller.address.neighbourhood, now: now)
            return record
        }
    }

    private func insert(
        _ request: CodeRequest, of strictness: Requestor.Strictness, lifetime: Duration, now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord {
        // With 28^7 codes a second draw is rare and a tenth means that the generator is broken.
        for _ in 0..<10 {
            // Deployed pages of compatible requestors take 7 characters and no more (rest-v1 11.1).
            let code = self.drawCode(strictness == .strict ? self.codeLength : 7)
            let record = RegistrationRecord(
                id: randomUUID(), code: code, request: request,
                life: RegistrationCode(generated: now, expires: now + lifetime))
            // Before the insertion: the cancellation of this code by a later one must not be remembered over.
            let ticket = self.memory.codes.ticket(for: record.code)
            let insertion = try await stored(
                await self.store.insert(record, limitPerDevice: self.codesPerDevice, now: now))
            switch insertion {
            case .taken: continue
            case .inserted(let cancelled):
                for code in cancelled { self.memory.announce(code: code) }
                if !record.isOfBoxList { self.openCodes.add(1, ordering: .relaxed) }
                self.memory.codes.remember(LiveCode(record), for: record.code, since: ticket)
                return record
            }
        }
        throw EntitlementError(.internal, detail: "ten drawn codes were all taken")
    }

    /// The code as stored, for parts of the domain that know the code already. Callers who may guess come through
    /// ``lookUp(_:of:for:by:now:)``.
    func storedCode(_ code: RegistrationCodeText) async throws(EntitlementError) -> RegistrationRecord? {
        return try await stored(await self.store.code(code))
    }

    func countOpenCodes(now: Timestamp) async throws(StoreError) -> Int {
        let count = try await self.store.liveCodeCount(now: now)
        self.openCodes.store(count, ordering: .relaxed)
        return count
    }

    /// As of the last count and what came since.
    package var openCount: Int { self.openCodes.load(ordering: .relaxed) }

    /// How many codes are open of each length, at most. Codes of compatible requestors stay short, and are not counted
    /// apart: if there are such requestors every code counts as a short one.
    var openCodesByLength: [Int: Int] {
        let open = self.openCodes.load(ordering: .relaxed)
        let long = max(0, open - self.codesBeforeLongerCodes)
        if long == 0 || self.catalogue.current.requestors.contains(where: { $0.strictness != .strict }) {
            return [7: open]
        }
        return [7: open - long, 8: long]
    }

    /// The length of the longest codes that are open or made now. A text that a viewer types may be looked up before
    /// they submit it once it is this long: the beginning of a longer code would count as a wrong one.
    package var longestOpenCode: Int { self.openCodesByLength[8, default: 0] > 0 ? 8 : self.codeLength }

    /// The length of new codes of strict requestors: longer while many are open, and while guesses are scarce.
    var codeLength: Int {
        let isShort =
            self.openCodes.load(ordering: .relaxed) <= self.codesBeforeLongerCodes
            && self.guessing.scarcity(at: self.uptime()) <= 0.5
        return isShort ? 7 : 8
    }

    private func drawCode(_ length: Int) -> RegistrationCodeText {
        while true {
            let code = RegistrationCodeText.random(length: length)
            if !UnwantedCodes.contains(code.text) { return code }
        }
    }
}

/// Letter groups that no viewer wants to read aloud, as far as the alphabet can spell them (rest-v1 11.1).
enum UnwantedCodes {
    /// Those that begin with each byte.
    private static let groups = {
        let all = ["BTCH", "CNT", "DCK", "FCK", "FVCK", "KKK", "NGR", "NZ", "PSS", "SHT", "SLT", "TWT", "WTF"]
        return (UInt8.min...UInt8.max).map { first in all.map { Array($0.utf8) }.filter { $0[0] == first } }
    }()

    static func contains(_ code: String) -> Bool {
        let code = Array(code.utf8)
        return code.indices.contains { start in
            self.groups[Int(code[start])].contains { code[start...].starts(with: $0) }
        }
    }
}
