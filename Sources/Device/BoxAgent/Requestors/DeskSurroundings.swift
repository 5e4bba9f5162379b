import AccessEnabler
import Observability

/// What all desks share.
struct DeskSurroundings: Sendable {
    let events: EventDesk
    let reasons: ReasonBook
    let transport: any AccessEnabler.Transport
    let serverName: String
    let logger: Logger
    /// A `data:` URL of the QR code of an address.
    let picture: @Sendable (String) -> String?
}
