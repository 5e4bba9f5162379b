import Clientless
import FoundationEssentials

/// What the store holds (access-enabler 11.6). Media tokens are never in it.
struct StoreImage: Codable, Hashable, Sendable {
    static let currentSchema = 1

    /// Where an authentication came from.
    enum Origin: String, Codable, Sendable {
        case regular, platform, temporary, degraded
    }

    struct Authentication: Codable, Hashable, Sendable {
        var xml: String
        /// In milliseconds since 1970.
        var expires: Int64
        var deviceScope: String
        /// The device ID that was sent when the token was issued.
        var boundDeviceID: String
        var origin: Origin
        /// When it was stored, in milliseconds since 1970; the newest of several is adopted.
        var stored: Int64
    }

    struct Authorization: Codable, Hashable, Sendable {
        var xml: String
        /// In milliseconds since 1970.
        var expires: Int64
    }

    struct Provider: Codable, Hashable, Sendable {
        var authn: Authentication?
        var authz: [String: Authorization] = [:]
        /// The payload of access-enabler 13.3, as it came.
        var userMetadata: String?
    }

    struct Requestor: Codable, Hashable, Sendable {
        var currentMvpd: String?
        var canAuthenticate = false
        var mvpds: [String: Provider] = [:]
    }

    /// What one registration of the application at one server got; it survives logouts (access-enabler D-17).
    struct Registration: Codable, Hashable, Sendable {
        var clientID: String
        var clientSecret: String
        /// SHA-256 of the software statement it was made with; another statement registers anew.
        var statement: String
        var accessToken: String?
        /// When to get a new one, in milliseconds by the server's clock.
        var renewAt: Int64?
    }

    /// A code on show.
    struct Code: Codable, Hashable, Sendable {
        var code: String
        var requestor: String
        var server: String
        /// In milliseconds by the server's clock.
        var expires: Int64
        var loginURL: String?
        var mvpd: String?
    }

    var schema = StoreImage.currentSchema
    /// Raised by every logout, so that other processes notice.
    var generation = 0
    var requestors: [String: Requestor] = [:]
    /// By server.
    var registrations: [String: Registration] = [:]
    /// Takes the place of a machine ID where the machine has none.
    var machineSalt: String?
    var code: Code?

    subscript(requestor id: String) -> Requestor {
        get { self.requestors[id] ?? Requestor() }
        set { self.requestors[id] = newValue }
    }

    subscript(requestor id: String, mvpd mvpd: String) -> Provider {
        get { self.requestors[id]?.mvpds[mvpd] ?? Provider() }
        set { self[requestor: id].mvpds[mvpd] = newValue }
    }

    /// All tokens and what belongs to them, of every programmer and provider (access-enabler 11.8).
    mutating func clearTokens() {
        self.requestors = [:]
        self.code = nil
        self.generation += 1
    }
}

extension StoreImage {
    /// Reads an image of this schema. - Returns: none for bytes that are not one.
    init?(reading bytes: [UInt8]) {
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
