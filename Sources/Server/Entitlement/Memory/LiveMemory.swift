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
    /// The most logins whose pages can be told that the box has answered.
    private static let handovers = 1024

    /// - Parameters:
    ///   - bound: the most codes, and the most devices, kept at once.
    ///   - isShared: whether other nodes serve from the store as well.
    init(bound: Int, waitingRoom: WaitingRoom, isShared: Bool) {
        self.codes = BoundedMemory(bound: bound)
        self.devices = BoundedMemory(bound: bound)
        self.permits = BoundedMemory(bound: min(bound, Self.permits))
        self.lineUps = BoundedMemory(bound: min(bound, Self.lineUps))
        self.waitingRoom = waitingRoom
        self.handovers = Handovers(bound: isShared ? 0 : min(bound, Self.handovers), room: waitingRoom)
    }

    /// The remembered facts of a code, while it may answer.
    func known(_ code: RegistrationCodeText) -> LiveCode? {
        self.freshness.mayAnswer(at: self.waitingRoom.now) ? self.codes[code] : nil
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
        self.permits.remember(
            others.suffix(Self.permitsPerDevice - 1) + [permit], for: permit.device, since: ticket)
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
        let known: LiveDevice = (
            Array(records.prefix(Self.recordsPerDevice)), records.count <= Self.recordsPerDevice
        )
        self.devices.remember(known, for: device, since: ticket)
    }

    /// Forgets a code that changed, and wakes the polls held for it.
    func announce(code: RegistrationCodeText) {
        self.codes.forget(code)
        self.waitingRoom.wake(.code(code))
    }

    /// Forgets everything, and wakes every held poll.
    func announceAll() {
        self.codes.forgetAll()
        self.devices.forgetAll()
        self.permits.forgetAll()
        self.lineUps.forgetAll()
        self.waitingRoom.wakeAll()
    }

    /// Forgets what no one asked about since the call before the last one: codes that ran out, and boxes that are off.
    func age() {
        self.codes.age()
        self.devices.age()
        self.permits.age()
        self.lineUps.age()
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
