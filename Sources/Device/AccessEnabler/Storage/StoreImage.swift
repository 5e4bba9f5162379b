import Clientless
import FoundationEssentials

/// What the store holds (access-enabler 11.6). Media tokens are never in it.
package struct StoreImage: Codable, Hashable, Sendable {
    package static let currentSchema = 1

    /// Where an authentication came from.
    package enum Origin: String, Codable, Sendable {
        case regular, platform, temporary, degraded
    }

    package struct Authentication: Codable, Hashable, Sendable {
        package var xml: String
        /// In milliseconds since 1970.
        package var expires: Int64
        package var deviceScope: String
        /// The device ID that was sent when the token was issued.
        package var boundDeviceID: String
        package var origin: Origin
        /// When it was stored, in milliseconds since 1970; the newest of several is adopted.
        package var stored: Int64

        package init(
            xml: String, expires: Int64, deviceScope: String, boundDeviceID: String, origin: Origin, stored: Int64
        ) {
            self.xml = xml
            self.expires = expires
            self.deviceScope = deviceScope
            self.boundDeviceID = boundDeviceID
            self.origin = origin
            self.stored = stored
        }
    }

    package struct Authorization: Codable, Hashable, Sendable {
        package var xml: String
        /// In milliseconds since 1970.
        package var expires: Int64
    }

    package struct Provider: Codable, Hashable, Sendable {
        package var authn: Authentication?
        package var authz: [String: Authorization] = [:]
        /// The payload of access-enabler 13.3, as it came.
        package var userMetadata: String?

        package init(
            authn: Authentication? = nil, authz: [String: Authorization] = [:], userMetadata: String? = nil
        ) {
            self.authn = authn
            self.authz = authz
            self.userMetadata = userMetadata
        }
    }

    package struct Requestor: Codable, Hashable, Sendable {
        package var currentMvpd: String?
        package var canAuthenticate = false
        package var mvpds: [String: Provider] = [:]

        package init() {}
    }

    /// What one registration of the application at one server got; it survives logouts (access-enabler D-17).
    package struct Registration: Codable, Hashable, Sendable {
        package var clientID: String
        package var clientSecret: String
        /// SHA-256 of the software statement it was made with; another statement registers anew.
        package var statement: String
        package var accessToken: String?
        /// When to get a new one, in milliseconds by the server's clock.
        package var renewAt: Int64?
    }

    /// A code on show.
    package struct Code: Codable, Hashable, Sendable {
        package var code: String
        package var requestor: String
        package var server: String
        /// In milliseconds by the server's clock.
        package var expires: Int64
        package var loginURL: String?
        package var mvpd: String?
    }

    package var schema = StoreImage.currentSchema
    /// Raised by every logout, so that other processes notice.
    package var generation = 0
    package var requestors: [String: Requestor] = [:]
    /// By server.
    package var registrations: [String: Registration] = [:]
    /// Takes the place of a machine ID where the machine has none.
    package var machineSalt: String?
    package var code: Code?
    /// What checks of the store wrote last, to read it back; each takes its own away again.
    package var probes: [String]?

    package init() {}

    package subscript(requestor id: String) -> Requestor {
        get { self.requestors[id] ?? Requestor() }
        set { self.requestors[id] = newValue }
    }

    package subscript(requestor id: String, mvpd mvpd: String) -> Provider {
        get { self.requestors[id]?.mvpds[mvpd] ?? Provider() }
        set { self[requestor: id].mvpds[mvpd] = newValue }
    }

    /// All tokens and what belongs to them, of every programmer and provider (access-enabler 11.8).
    package mutating func clearTokens() {
        self.requestors = [:]
        self.code = nil
        self.generation += 1
    }
}

extension StoreImage {
    /// Reads an image of this schema. - Returns: none for bytes that are not one.
    package init?(reading bytes: [UInt8]) {
        guard let image = try? JSONDecoder().decode(StoreImage.self, from: Data(bytes)),
            image.schema == Self.currentSchema
        else { return nil }
        self = image
    }

    /// - Throws: never for an image of texts and numbers; the encoder says otherwise.
    func encoded() throws(TokenStoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            throw TokenStoreError("the tokens cannot be written as JSON")
        }
    }

    /// Whether every token in it can be read (access-enabler D-48).
    var isSound: Bool {
        self.requestors.values.allSatisfy { requestor in
            requestor.mvpds.values.allSatisfy { provider in
                (provider.authn.map { (try? AuthenticationToken(xml: $0.xml)) != nil } ?? true)
                    && provider.authz.values.allSatisfy { (try? AuthorizationToken(xml: $0.xml)) != nil }
            }
        }
    }
}

/// The number of a schema, read first: what a newer version wrote is not damaged, only unknown.
struct StoreSchema: Decodable {
    let schema: Int?
    /// The state file of the box program before there were tokens on the box.
    let version: Int?
}
