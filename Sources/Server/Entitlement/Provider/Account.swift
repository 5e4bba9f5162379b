package import Clientless

/// A viewer of a local provider.
package struct Account: Hashable, Sendable {
    package let mvpd: MVPDID
    /// What the viewer types: 1 to 64 bytes, compared case-insensitively for ASCII, stored lower case.
    package let name: String
    /// A yescrypt hash in crypt(5) form.
    package let passwordHash: String
    /// The resources the account may play; one entry `*` is everything.
    package let lineUp: [String]
    /// What requestors may be told of the viewer, by the keys of rest-v1 19.
    package let metadata: [String: MetadataValue]

    package init(
        mvpd: MVPDID, name: String, passwordHash: String, lineUp: [String], metadata: [String: MetadataValue] = [:]
    ) {
        self.mvpd = mvpd
        self.name = name
        self.passwordHash = passwordHash
        self.lineUp = lineUp
        self.metadata = metadata
    }
}
