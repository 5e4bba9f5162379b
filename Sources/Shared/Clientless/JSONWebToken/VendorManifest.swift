package import Cryptography

/// What a vendor's package says of an application on a box, signed by the vendor (access-enabler 11.7). It has no end;
/// another one takes its place with the package.
package struct VendorManifest: Hashable, Sendable {
    /// The vendor, 1 to 128 bytes.
    package let vendor: String
    /// The applications it speaks for, 1 to 64, each of 1 to 256 bytes.
    package let applications: [String]
    /// 1 to 256 bytes.
    package let deviceScope: String
    /// The Unix group whose members share the vendor's store, 1 to 32 bytes; `nil` when one user has it alone.
    package let unixGroup: String?

    /// - Returns: `nil` when a value is too short or too long.
    package init?(vendor: String, applications: [String], deviceScope: String, unixGroup: String? = nil) {
        guard (1...128).contains(vendor.utf8.count), (1...256).contains(deviceScope.utf8.count),
            (1...64).contains(applications.count), applications.allSatisfy({ (1...256).contains($0.utf8.count) }),
            (1...32).contains(unixGroup?.utf8.count ?? 1)
        else { return nil }
        self.vendor = vendor
        self.applications = applications
        self.deviceScope = deviceScope
        self.unixGroup = unixGroup
    }

    /// The manifest as a token, ES256.
    /// - Throws: `signingFailed`.
    package func signed(by key: ECPrivateKey) throws(CryptographyError) -> String {
        var claims: [JSONValue.Member] = [
            .init("iss", .string(self.vendor)), .init("deviceScope", .string(self.deviceScope)),
            .init("applications", .string(self.applications.joined(separator: " "))),
        ]
        if let unixGroup { claims.append(.init("unixGroup", .string(unixGroup))) }
        return try CompactToken.write(
            header: .object([
                .init("alg", .string(CompactToken.Algorithm.es256.rawValue)), .init("typ", .string("vendor-manifest")),
            ]),
            claims: .object(claims),
            sign: { text throws(CryptographyError) in try key.joseSignature(for: text) })
    }

    /// Reads a manifest, which may end in line breaks.
    /// - Parameter keys: the vendor's; any of them may have signed.
    /// - Throws: `malformed`, `wrongAlgorithm`, `badSignature`, `badClaims`.
    package init(reading text: String, trusting keys: [ECPublicKey]) throws(JSONWebTokenError) {
        guard text.utf8.count <= 2 * CompactToken.maximumLength else { throw .malformed }
        let token = try CompactToken(String(text.filter { !$0.isWhitespace }), algorithm: .es256)
        let claims = try token.claims(Claims.self) { signature, text in
            keys.contains { $0.isValidJOSESignature(signature, for: text) }
        }
        guard
            let manifest = VendorManifest(
                vendor: claims.iss,
                applications: claims.applications.split(separator: " ", maxSplits: 64).map { String($0) },
                deviceScope: claims.deviceScope, unixGroup: claims.unixGroup)
        else { throw .badClaims }
        self = manifest
    }

    /// The vendor that a manifest names, before anything of it was checked: it says whose key to check it with.
    package static func unverifiedVendor(of text: String) -> String? {
        guard text.utf8.count <= 2 * CompactToken.maximumLength else { return nil }
        let token = try? CompactToken(String(text.filter { !$0.isWhitespace }), algorithm: .es256)
        return (try? token?.claims(Claims.self) { _, _ in true })?.iss
    }

    private struct Claims: Decodable {
        let iss: String
        let applications: String
        let deviceScope: String
        let unixGroup: String?
    }
}
