package import Clientless

/// What polls are answered from: the codes and devices asked about lately, and the polls held until one changes.
final class LiveMemory: Sendable {
    let codes: BoundedMemory<RegistrationCodeText, LiveCode>
    let devices: BoundedMemory<DeviceHash, [AuthNRecord]>
    let waitingRoom: WaitingRoom

    /// - Parameter bound: the most codes, and the most devices, kept at once.
    init(bound: Int, waitingRoom: WaitingRoom) {
        self.codes = BoundedMemory(bound: bound)
        self.devices = BoundedMemory(bound: bound)
        self.waitingRoom = waitingRoom
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
        self.waitingRoom.wakeAll()
    }

    /// Forgets a device whose sign-ins changed, and wakes the polls held for it.
    func announce(device: DeviceHash) {
        self.devices.forget(device)
        self.waitingRoom.wake(.device(device))
    }
}

/// What the answer to a poll by code needs, and no more: hundreds of thousands of these are kept in memory.
package struct LiveCode: Sendable {
    package let requestor: RequestorID
    package let device: DeviceHash
    package let life: RegistrationCode

    package init(_ record: RegistrationRecord) {
        self.requestor = record.requestor
        self.device = record.context.device
        self.life = record.life
    }
}
