package import Clientless

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
