/// The sender of a guess, as far as the server can tell.
package struct Guesser: Hashable, Sendable {
    /// The viewer's address; of a call that a programmer's server makes for a viewer, the address it forwards.
    package var address: NetworkAddress
    /// The keyed hash of the browser session or access token.
    package var session: [UInt8]?
    /// The keyed hash of the device that asks by itself.
    package var box: [UInt8]?
    /// The server that forwards `address`.
    package var relay: Relay?

    package init(_ address: NetworkAddress, session: [UInt8]? = nil, box: [UInt8]? = nil, relay: Relay? = nil) {
        self.address = address
        self.session = session
        self.box = box
        self.relay = relay
    }

    /// A caller that speaks for others, known by its credential and its network: the credential alone may be in every
    /// box, and must not be closed for all of them.
    package struct Relay: Hashable, Sendable {
        let credential: String
        let network: NetworkPrefix

        /// - Parameters:
        ///   - credential: the public key or client ID that proved the call.
        ///   - address: the address that the connection comes from.
        package init(credential: String, at address: NetworkAddress) {
            self.credential = credential
            self.network = address.prefix(address == .local ? .address : .network)
        }
    }

    /// The keys under which a success is remembered.
    var trustKeys: [TrustMemory.Key] {
        var keys: [TrustMemory.Key] = []
        if self.address != .local { keys.append(.address(self.address)) }
        if let session { keys.append(.session(session)) }
        if let box { keys.append(.box(box)) }
        return keys
    }
}
