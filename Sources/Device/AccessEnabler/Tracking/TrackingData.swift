import Cryptography

/// The arrays of access-enabler 15.2: their lengths are fixed, and what does not apply is empty (D-19).
struct TrackingData: Sendable {
    /// `computer` or `unknown`.
    let deviceType: String
    private var box: [String] { [self.deviceType, "linux", "Linux"] }

    init(hardware: String) { self.deviceType = hardware == "Desktop" ? "computer" : "unknown" }

    /// Seven entries. - Parameter guid: hashed for the entry.
    func authentication(mvpdID: String?, guid: String?, isCached: Bool) -> [String] {
        [flag(mvpdID != nil), mvpdID ?? "", guid.map(Self.hash) ?? "", flag(isCached)] + self.box
    }

    func authorization(
        mvpdID: String?, guid: String?, isCached: Bool, error: String = "", details: String = ""
    ) -> [String] {
        [flag(error.isEmpty), mvpdID ?? "", guid.map(Self.hash) ?? "", flag(isCached), error, details] + self.box
    }

    func selection(mvpdID: String) -> [String] { [mvpdID] + self.box }

    /// Lower-case hexadecimal MD5 (D-20): an identifier in reports, which protects nothing.
    static func hash(_ guid: String) -> String { Digest.md5(guid.utf8).map { Hex.encode($0) } ?? "" }

    private func flag(_ value: Bool) -> String { value ? "true" : "false" }
}
