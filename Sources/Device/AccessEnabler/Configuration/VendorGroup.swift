import Clientless
import Cryptography
import POSIX

extension AccessEnabler {
    /// A vendor's identity on a box (access-enabler 11.7): its applications share a store.
    ///
    /// The system says which users may share: the members of ``unixGroup`` and no others. The manifest says to which
    /// group an application belongs.
    public struct VendorGroup: Sendable, Hashable {
        /// The vendor; applications of one share a store.
        public let identifier: String
        /// Applications of one scope have the same device ID; those of two never touch each other's sign-ins.
        public let deviceScope: String
        /// The Unix group whose members share the store; `nil` when the applications all run as one user.
        public let unixGroup: String?

        /// The vendor's identity, in the application's own words.
        public init(identifier: String, deviceScope: String, unixGroup: String? = nil) {
            self.identifier = identifier
            self.deviceScope = deviceScope
            self.unixGroup = unixGroup
        }

        /// The vendor's identity from the manifest of the application's package, signed by the vendor.
        /// - Parameters:
        ///   - path: the manifest: a compact JSON Web Token, ES256, with `iss` (the vendor), `applications` (separated
        ///     by spaces), `deviceScope` and perhaps `unixGroup`.
        ///   - applicationID: the application; the manifest has to name it.
        ///   - keys: the folder of the vendors' public keys, one PEM file `VENDOR.pem` each, which only root, or the
        ///     process's own user, may write.
        public init(
            manifest path: String, of applicationID: String, keys: String = "/etc/access-enabler/vendors"
        ) throws(VendorManifestError) {
            let text = try Self.text(path)
            // Only says whose key to look for; the manifest is read below, with that key.
            guard let vendor = VendorManifest.unverifiedVendor(of: text) else {
                throw VendorManifestError("\(path) is not a vendor's manifest")
            }
            let keyPath = "\(keys)/\(folderName(vendor, prefix: "vendor")).pem"
            let pem = try Self.text(keyPath)
            let manifest: VendorManifest
            do {
                manifest = try VendorManifest(reading: text, trusting: [try ECPublicKey(pem: pem)])
            } catch {
                throw VendorManifestError("\(path) is not signed with the key in \(keyPath)")
            }
            guard manifest.applications.contains(applicationID) else {
                throw VendorManifestError("\(path) does not name the application \(applicationID)")
            }
            self.init(
                identifier: manifest.vendor, deviceScope: manifest.deviceScope, unixGroup: manifest.unixGroup)
        }

        /// Reads a small file that only root, or the own user, can have written.
        private static func text(_ path: String) throws(VendorManifestError) -> String {
            let status: FileStatus
            let bytes: [UInt8]
            do throws(SystemError) {
                status = try FileStatus(of: path)
                bytes = status.isRegularFile ? try WholeFile.read(path, limit: 64 << 10) : []
            } catch {
                throw VendorManifestError("\(path) cannot be read: \(error)")
            }
            guard status.isRegularFile, status.mode & 0o022 == 0,
                status.owner == 0 || status.owner == ThisProcess.effectiveUser
            else { throw VendorManifestError("\(path) must be a file that only root or this user can write") }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// A manifest does not make an application a member of a vendor group.
    public struct VendorManifestError: Error, Sendable, Hashable, CustomStringConvertible {
        /// For the operator of the box.
        public let description: String

        /// An error that says this.
        public init(_ description: String) {
            self.description = description
        }
    }
}
