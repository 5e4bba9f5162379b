/// The socket of a held request, and what it takes to answer it.
final class ParkedConnection: HeldReply.Holder {
    /// The caller that takes this connection out of the lot's table owns the socket and closes it.
    let socket: Int32
    /// Tells this connection from an earlier one with the same descriptor.
    let tag: UInt64
    let request: ParkedRequest
    let reply: HeldReply
    /// The lot keeps this connection until it is taken out, so the circle opens by itself.
    private let lot: ParkingLot

    init(socket: Int32, tag: UInt64, request: ParkedRequest, reply: HeldReply, lot: ParkingLot) {
        self.socket = socket
        self.tag = tag
        self.request = request
        self.reply = reply
        self.lot = lot
    }

    static func tag(socket: Int32, serial: UInt32) -> UInt64 {
        UInt64(serial) << 32 | UInt64(UInt32(bitPattern: socket))
    }

    func send(_ response: HTTPResponse) { self.lot.answer(self, with: response) }
}

struct ParkedRequest: Sendable {
    let route: MatchedRoute
    let remoteAddress: IPAddress
    /// Microseconds of `MonotonicTime`.
    let started: Int
    let isHead: Bool
    /// Such a client understands no interim answer (RFC 9110 15.2).
    let isVersion10: Bool
}
