package import Clientless

/// The memory that polls are answered from: the codes and devices asked about lately, and the polls held until one
/// changes.
final class LiveMemory: Sendable {
    let codes: BoundedMemory<RegistrationCodeText, LiveCode>
    let devices: BoundedMemory<DeviceHash, LiveDevice>
    /// Permits of providers that were asked for last.
    let permits: BoundedMemory<DeviceHash, [AuthZRecord]>
    /// The channels of local accounts that were asked about last, each with the sign-in of the account.
    let lineUps: BoundedMemory<DeviceHash, (AuthNID, LineUp)>
    /// Open codes, each with the number of its changes here that the feed still has to tell of.
    typealias ChangedCodes = BoundedMemory<RegistrationCodeText, (record: RegistrationRecord?, untold: Int)>

    /// The codes that pages asked for or this domain changed last, and the logins that it changed, for the page that comes
    /// next.
    let records: ChangedCodes
    let attempts: BoundedMemory<AttemptID, LoginAttempt>
    let waitingRoom: WaitingRoom
    let handovers: Handovers
    /// Whether what is remembered may answer.
    let freshness = Freshness()
    /// Only the newest sign-ins of a device with more are kept, so that the bound on devices bounds their records.
    static let recordsPerDevice = 4
    private static let permitsPerDevice = 4
    /// The most devices whose permits are kept: a permit is larger than a code.
    private static let permits = 50_000
    /// The most devices whose viewers' channels are kept, and the most bytes of each: 80 MB together.
    private static let (lineUps, lineUpSize) = (10_000, 8192)
    /// The most logins whose pages can be told that the box has answered, and the most that are kept for their next page.
    private static let logins = 1024
    private let isShared: Bool

    /// - Parameters:
    ///   - bound: the most codes, and the most devices, kept at once.
    ///   - isShared: whether other nodes serve from the store as well.
    init(bound: Int, waitingRoom: WaitingRoom, isShared: Bool) {
        self.codes = BoundedMemory(bound: bound)
        self.devices = BoundedMemory(bound: bound)
        self.permits = BoundedMemory(bound: min(bound, Self.permits))
        self.lineUps = BoundedMemory(bound: min(bound, Self.lineUps))
        self.records = BoundedMemory(bound: min(bound, Self.logins))
        self.attempts = BoundedMemory(bound: min(bound, Self.logins))
        self.waitingRoom = waitingRoom
        self.isShared = isShared
        self.handovers = Handovers(bound: isShared ? 0 : min(bound, Self.logins), room: waitingRoom)
    }

    /// The remembered facts of a code, while it may answer.
    func known(_ code: RegistrationCodeText) -> LiveCode? {
        self.freshness.mayAnswer(at: self.waitingRoom.now) ? self.codes[code] : nil
    }

    /// An open code as it was read or changed here last, while it may answer and no other node changes codes.
    func record(of code: RegistrationCodeText, now: Timestamp) -> RegistrationRecord? {
        guard self.freshness.mayAnswer(at: self.waitingRoom.now) else { return nil }
        return self.records[code]?.record.flatMap { now < $0.life.expires ? $0 : nil }
    }

    /// A login and its code, in the same way. The login is looked for first and kept last: it is not told to have ended
    /// while its code is told to be open.
    func login(_ id: AttemptID, now: Timestamp) -> StoredLogin? {
        guard let attempt = self.attempts[id], now < attempt.expires else { return nil }
        return self.record(of: attempt.code, now: now).map { (attempt, $0) }
    }

    /// The sign-ins of a device as they are remembered, while they may answer and are all there are.
    func known(_ device: DeviceHash) -> [AuthNRecord]? {
        self.recent(device).flatMap { $0.isWhole ? $0.records : nil }
    }

    /// The newest sign-ins of a device as they are remembered, while they may answer.
    func recent(_ device: DeviceHash) -> LiveDevice? {
        self.freshness.mayAnswer(at: self.waitingRoom.now) ? self.devices[device] : nil
    }

    /// The permits of a device as they are remembered, while they may answer.
    func permits(of device: DeviceHash) -> [AuthZRecord] {
        self.freshness.mayAnswer(at: self.waitingRoom.now) ? self.permits[device] ?? [] : []
    }

    /// Keeps a permit that was read, with those that are remembered.
    func remember(_ permit: AuthZRecord, since ticket: BoundedMemory<DeviceHash, [AuthZRecord]>.Ticket) {
        let others = (self.permits[permit.device] ?? []).filter {
            !$0.isAbout(permit.resource, of: permit.authentication, permit.requestor)
        }
        self.permits.remember(others.suffix(Self.permitsPerDevice - 1) + [permit], for: permit.device, since: ticket)
    }

    /// The channels of the account of a sign-in as they are remembered, while they may answer. Operators' commands change
    /// accounts, so the feed has to be followed.
    func lineUp(of authentication: AuthNRecord) -> LineUp? {
        guard self.freshness.mayAnswer(at: self.waitingRoom.now, isAlone: false),
            let (id, lineUp) = self.lineUps[authentication.context.device], id == authentication.id
        else { return nil }
        return lineUp
    }

    /// Keeps the channels of the account of a sign-in, unless they are too many.
    func remember(
        _ lineUp: LineUp, of authentication: AuthNRecord,
        since ticket: BoundedMemory<DeviceHash, (AuthNID, LineUp)>.Ticket
    ) {
        guard lineUp.size <= Self.lineUpSize else { return }
        self.lineUps.remember((authentication.id, lineUp), for: authentication.context.device, since: ticket)
    }

    /// Keeps the newest sign-ins of a device.
    func remember(
        _ records: [AuthNRecord], of device: DeviceHash, since ticket: BoundedMemory<DeviceHash, LiveDevice>.Ticket
    ) {
        let known: LiveDevice = (Array(records.prefix(Self.recordsPerDevice)), records.count <= Self.recordsPerDevice)
        self.devices.remember(known, for: device, since: ticket)
    }

    /// Forgets a code that changed, and wakes the polls held for it.
    /// - Parameter kept: the code as this domain changed it, for the next page. The store keeps less of a code that is
    ///   over, so such a one is read from there.
    func announce(code: RegistrationCodeText, kept: (record: RegistrationRecord, since: ChangedCodes.Ticket)? = nil) {
        self.records.replace(code, since: kept?.since) { former in
            guard let record = kept?.record, self.keeps(record) else { return nil }
            return (record, former?.untold ?? 0)
        }
        self.codes.forget(code)
        self.waitingRoom.wake(.code(code))
    }

    /// Keeps a code that was read, for the next page.
    func remember(_ record: RegistrationRecord, since ticket: ChangedCodes.Ticket) {
        if self.keeps(record) { self.records.remember((record, 0), for: record.code, since: ticket) }
    }

    private func keeps(_ record: RegistrationRecord) -> Bool {
        !self.isShared && record.life.takesLogin(at: record.life.generated)
    }

    /// Expects the feed to tell of a change of a code that begins. The caller announces its end, whatever it is.
    func expectChange(of code: RegistrationCodeText) -> ChangedCodes.Ticket {
        if !self.isShared { self.records.update(code, initial: (nil, 0)) { $0.untold += 1 } }
        return self.records.ticket(for: code)
    }

    /// Takes a change of a code from the feed, unless it is one that this domain announces itself.
    func hear(of code: RegistrationCodeText) {
        let isOwn = self.records.update(code, initial: (nil, 0), isIdle: { $0 == nil && $1 <= 0 }) { known in
            known.untold -= 1
            return known.untold >= 0
        }
        if !isOwn { self.announce(code: code) }
    }

    /// Forgets everything, and wakes every held poll.
    func announceAll() {
        self.codes.forgetAll()
        self.devices.forgetAll()
        self.permits.forgetAll()
        self.lineUps.forgetAll()
        self.records.forgetAll()
        self.attempts.forgetAll()
        self.waitingRoom.wakeAll()
    }

    /// Forgets what no one asked about since the call before the last one: codes that ran out, and boxes that are off.
    func age() {
        self.codes.age()
        self.devices.age()
        self.permits.age()
        self.lineUps.age()
        self.records.age()
        self.attempts.age()
    }

    /// Forgets a device whose sign-ins changed, and wakes the polls held for it.
    func announce(device: DeviceHash) {
        self.devices.forget(device)
        self.permits.forget(device)
        self.lineUps.forget(device)
        self.waitingRoom.wake(.device(device))
    }
}

/// The sign-ins of a device that are kept in memory, newest first.
/// The list is whole if the device has no others. If it has, only a sign-in that is found says something.
typealias LiveDevice = (records: [AuthNRecord], isWhole: Bool)

/// The facts that the answer to a poll by code needs, and no more: hundreds of thousands of these are kept in memory.
package final class LiveCode: Sendable {
    package let requestor: RequestorID
    package let device: DeviceHash
    package let life: RegistrationCode

    package init(_ record: RegistrationRecord) {
        self.requestor = record.requestor
        self.device = record.context.device
        self.life = record.life
    }
}
