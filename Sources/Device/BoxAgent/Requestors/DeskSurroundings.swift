import AccessEnabler
import Observability

/// The common part of all desks.
struct DeskSurroundings: Sendable {
    let events: EventDesk
    let reasons: ReasonBook
    let transport: any AccessEnabler.Transport
    let serverName: String
    let logger: Logger
    /// A `data:` URL of the QR code of an address.
    let picture: @Sendable (String) -> String?
}
