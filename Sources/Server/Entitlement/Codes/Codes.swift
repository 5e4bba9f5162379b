package import Clientless
import Cryptography
import Synchronization

/// Registration codes: issuing, finding and withdrawing them, and what each is to the box that polls it.
package final class Codes: Sendable {
    let store: any Store
    let catalogue: LiveCatalogue
    let memory: LiveMemory
    let signIns: SignIns
    private let codesPerDevice: Int
    private let codesBeforeLongerCodes: Int
    /// The number of open codes, exact at every ``countOpenCodes(now:)``.
    private let openCodes = Atomic<Int>(0)

    init(store: any Store, catalogue: LiveCatalogue, memory: LiveMemory, signIns: SignIns, limits: Entitlements.Limits)
    {
        self.store = store
        self.catalogue = catalogue
        self.memory = memory
        self.signIns = signIns
        self.codesPerDevice = limits.codesPerDevice
        self.codesBeforeLongerCodes = limits.codesBeforeLongerCodes
    }

    /// Issues a code for a box (rest-v1 11.1).
    /// - Throws: `unknownRequestor`, `storeUnavailable`.
    package func createCode(
        _ request: CodeRequest, now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord {
        guard self.catalogue.requestor(request.requestor) != nil else { throw EntitlementError(.unknownRequestor) }
        // With 28^7 codes a second draw is rare and a tenth means that the generator is broken.
        for _ in 0..<10 {
            let record = self.record(for: request, code: self.drawCode(for: request.requestor), now: now)
            // Before the insertion: the cancellation of this code by a later one must not be remembered over.
            let ticket = self.memory.codes.ticket(for: record.code)
            let insertion = try await stored(
                await self.store.insert(record, limitPerDevice: self.codesPerDevice, now: now))
            switch insertion {
            case .taken: continue
            case .inserted(let cancelled):
                for code in cancelled { self.memory.announce(code: code) }
                self.openCodes.add(1, ordering: .relaxed)
                self.memory.codes.remember(LiveCode(record), for: record.code, since: ticket)
                return record
            }
        }
        throw EntitlementError(.internal, detail: "ten drawn codes were all taken")
    }

    /// The record of a code a viewer may still see: open, or completed and not yet expired (rest-v1 11.2).
    /// - Returns: `nil` for a code that is unknown, of another requestor, declined, cancelled or expired, alike.
    package func openCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?, now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord? {
        guard let record = try await self.storedCode(code), requestor == nil || record.requestor == requestor
        else { return nil }
        switch record.life.state(at: now) {
        case .waiting, .loggingIn, .confirming, .completed: return record
        case .declined, .cancelled, .expired: return nil
        }
    }

    /// Erases a code; tokens obtained with it stay. Erasing an unknown code is no error (rest-v1 11.3).
    package func deleteCode(_ code: RegistrationCodeText, of requestor: RequestorID?) async throws(EntitlementError) {
        _ = try await stored(await self.store.deleteCode(code, of: requestor))
        self.memory.announce(code: code)
    }

    func storedCode(_ code: RegistrationCodeText) async throws(EntitlementError) -> RegistrationRecord? {
        return try await stored(await self.store.code(code))
    }

    /// Counts the open codes anew.
    func countOpenCodes(now: Timestamp) async throws(StoreError) -> Int {
        let count = try await self.store.liveCodeCount(now: now)
        self.openCodes.store(count, ordering: .relaxed)
        return count
    }

    /// The length of new codes of strict requestors.
    var codeLength: Int { self.openCodes.load(ordering: .relaxed) > self.codesBeforeLongerCodes ? 8 : 7 }

    /// The length of new codes of `requestor`: deployed pages of compatible ones take 7 characters and no more (rest-v1
    /// 11.1).
    private func codeLength(of requestor: RequestorID) -> Int {
        self.catalogue.requestor(requestor)?.strictness == .strict ? self.codeLength : 7
    }

    private func drawCode(for requestor: RequestorID) -> RegistrationCodeText {
        let length = self.codeLength(of: requestor)
        var generator = SecureRandomGenerator()
        while true {
            let code = RegistrationCodeText.random(length: length, using: &generator)
            if !UnwantedCodes.contains(code.text) { return code }
        }
    }

    private func record(
        for request: CodeRequest, code: RegistrationCodeText, now: Timestamp
    ) -> RegistrationRecord {
        RegistrationRecord(
            id: randomUUID(), code: code, requestor: request.requestor, deviceID: request.deviceID,
            context: request.context, mvpd: request.mvpd, registrationURL: request.registrationURL,
            deviceType: request.deviceType, appVersion: request.appVersion, box: request.box,
            application: request.application, life: RegistrationCode(generated: now, expires: now + request.lifetime))
    }
}

/// Letter groups that no viewer wants to read aloud, as far as the alphabet can spell them (rest-v2 7.2).
enum UnwantedCodes {
    private static let groups = [
        "BTCH", "CNT", "DCK", "FCK", "FVCK", "KKK", "NGR", "NZ", "PSS", "SHT", "SLT", "TWT", "WTF",
    ]

    static func contains(_ code: String) -> Bool {
        self.groups.contains { group in
            var rest = Substring(code)
            while rest.utf8.count >= group.utf8.count {
                if rest.hasPrefix(group) { return true }
                rest = rest.dropFirst()
            }
            return false
        }
    }
}
