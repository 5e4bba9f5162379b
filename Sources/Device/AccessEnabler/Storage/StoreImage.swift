import FoundationEssentials

/// The content of the store (access-enabler 11.6), as an application of one device scope sees it. Media tokens are
/// never in it.
///
/// The sign-ins of each device scope are apart: two scopes of one vendor never touch each other's (access-enabler
/// D-56). ``requestors``, ``generation`` and ``code`` are those of the own scope; ``scopes`` has all.
package struct StoreImage: Codable, Hashable, Sendable {
    package static let currentSchema = 2

    /// The origin of an authentication.
    package enum Origin: String, Codable, Sendable {
        case regular, platform, temporary, degraded

        /// Whether a login ends a sign-in of `other`: a pass ends no sign-in of a viewer, and a bypass no pass.
        func ends(_ other: Self) -> Bool {
            self == .regular || self == .platform || (self == .temporary) == (other == .temporary)
        }
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
    }

    package struct Requestor: Codable, Hashable, Sendable {
        package var currentMvpd: String?
        package var canAuthenticate = false
        package var mvpds: [String: Provider] = [:]
    }

    /// One registration of an application at one server; it survives logouts (access-enabler D-17).
    package struct Registration: Codable, Hashable, Sendable {
        package var clientID: String
        package var clientSecret: String
        package var accessToken: String?
        /// When to get a new one, in milliseconds by the server's clock.
        package var renewAt: Int64?
    }

    package struct Code: Codable, Hashable, Sendable {
        package var code: String
        package var requestor: String
        package var server: String
        /// In milliseconds by the server's clock.
        package var expires: Int64
        package var loginURL: String?
        package var shortURL: String?
        package var mvpd: String?
    }

    /// The tokens of the applications of one device scope.
    package struct Scope: Codable, Hashable, Sendable {
        /// Raised by every logout, so that other processes notice.
        package var generation = 0
        package var requestors: [String: Requestor] = [:]
        package var code: Code?
        /// How the last sign-in of a requestor ended, in the words of ``AccessEnabler/SignInEnding``; `nil` in images of
        /// before. As texts: a word of a later version must not spoil the image.
        package var endings: [String: String]?

        /// Removes all tokens, with decisions and metadata, of every programmer and provider.
        mutating func clear() {
            for (requestor, branch) in self.requestors where branch.mvpds.values.contains(where: { $0.authn != nil }) {
                self.endings = (self.endings ?? [:]).merging([requestor: AccessEnabler.SignInEnding.signedOut.rawValue])
                { $1 }
            }
            self.requestors = [:]
            self.code = nil
            self.generation += 1
        }
    }

    /// The device scope of the application that looks; not in the store.
    package private(set) var scope = ""
    package private(set) var schema = StoreImage.currentSchema
    /// By device scope.
    package var scopes: [String: Scope] = [:]
    /// By server, and by SHA-256 of the software statement they were made with: another statement registers anew, and
    /// applications of one vendor have one each (access-enabler D-57).
    package var registrations: [String: [String: Registration]] = [:]
    /// Takes the place of a machine ID where the machine had none when it was first needed.
    package var machineSalt: String?
    /// The texts that checks of the store wrote to read them back; each check removes its own.
    package var probes: [String]?

    package init(scope: String) { self.scope = scope }

    private enum CodingKeys: CodingKey { case schema, scopes, registrations, machineSalt, probes }
}

extension StoreImage {
    private var own: Scope {
        get { self.scopes[self.scope] ?? Scope() }
        set { self.scopes[self.scope] = newValue == Scope() ? nil : newValue }
    }

    package var requestors: [String: Requestor] {
        get { self.own.requestors }
        set { self.own.requestors = newValue }
    }

    package var generation: Int { self.own.generation }

    /// Of the own scope: a code is asked for as a device, and a device ID has its scope in it.
    package var code: Code? {
        get { self.own.code }
        set { self.own.code = newValue }
    }

    /// How the last sign-in of a requestor ended; `nil` if none did, or a viewer has signed in since.
    package subscript(ending requestor: String) -> AccessEnabler.SignInEnding? {
        get { self.own.endings?[requestor].flatMap { AccessEnabler.SignInEnding(rawValue: $0) } }
        set {
            var endings = self.own.endings ?? [:]
            endings[requestor] = newValue?.rawValue
            self.own.endings = endings.isEmpty ? nil : endings
        }
    }

    package subscript(requestor id: String) -> Requestor {
        get { self.requestors[id] ?? Requestor() }
        set { self.requestors[id] = newValue }
    }

    package subscript(requestor id: String, mvpd mvpd: String) -> Provider {
        get { self.requestors[id]?.mvpds[mvpd] ?? Provider() }
        set { self[requestor: id].mvpds[mvpd] = newValue }
    }

    /// Keeps a new sign-in, as the one in use. Those that it ends at the server go (rest-v1 6.2, 20.1): they would come
    /// back when it is over.
    mutating func begin(_ kept: Provider, at mvpd: String, of requestor: String, as origin: Origin) {
        var branch = self[requestor: requestor]
        branch.mvpds = branch.mvpds.filter { _, held in held.authn.map { !origin.ends($0.origin) } ?? false }
        branch.mvpds[mvpd] = kept
        (branch.currentMvpd, branch.canAuthenticate) = (mvpd, true)
        self[requestor: requestor] = branch
    }

    /// The registration at a server with the statement of this digest.
    package subscript(registration server: String, statement: String) -> Registration? {
        get { self.registrations[server]?[statement] }
        set {
            self.registrations[server, default: [:]][statement] = newValue
            if self.registrations[server]?.isEmpty ?? false { self.registrations[server] = nil }
        }
    }

    /// Removes all tokens of the own scope, with decisions and metadata, of every programmer and provider
    /// (access-enabler 11.8).
    package mutating func clearTokens() { self.own.clear() }
    /// Adds the text of a check. At most as many of others stay as run at once: those of processes that were killed go.
    mutating func add(probe: String) { self.probes = (self.probes ?? []).suffix(15) + [probe] }

    mutating func remove(probe: String) {
        let rest = self.probes?.filter { $0 != probe } ?? []
        self.probes = rest.isEmpty ? nil : rest
    }

    /// Everything, of all scopes, registrations and the salt included (access-enabler 11.11). The generations go on, so
    /// that other processes notice.
    mutating func clearAll() {
        var cleared = StoreImage(scope: self.scope)
        cleared.scopes = self.scopes.mapValues { scope in
            var scope = scope
            scope.clear()
            return scope
        }
        cleared.own.generation = max(cleared.own.generation, 1)
        self = cleared
    }
}

extension StoreImage {
    /// Reads the content of a store for an application of `scope`.
    /// - Returns: the image, empty if the content cannot be understood, and the fate of the content when another image
    ///   takes its place.
    static func reading(
        _ bytes: [UInt8]?, scope: String
    ) -> (image: StoreImage, former: AccessEnabler.TokenStoreChange.Former) {
        let empty = StoreImage(scope: scope)
        guard let bytes else { return (empty, .dropped) }
        let data = Data(bytes)
        guard let schema = try? JSONDecoder().decode(StoreSchema.self, from: data).schema
        else { return (empty, .damaged) }
        if schema > Self.currentSchema { return (empty, .schema(schema)) }
        guard schema == Self.currentSchema, var image = try? JSONDecoder().decode(StoreImage.self, from: data)
        else { return (empty, .damaged) }
        image.scope = scope
        return (image, .dropped)
    }

    /// Reads an image of this schema.
    /// - Returns: `nil` for bytes that are not one.
    package init?(reading bytes: [UInt8], scope: String) {
        let (image, former) = Self.reading(bytes, scope: scope)
        guard former == .dropped else { return nil }
        self = image
    }

    /// - Throws: never for an image of texts and numbers; the encoder says otherwise.
    func encoded() throws(AccessEnabler.TokenStoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self)
        else { throw AccessEnabler.TokenStoreError("the tokens cannot be written as JSON") }
        return Array(json)
    }

    /// Whether every token in it can be read (access-enabler D-48).
    var isSound: Bool {
        self.scopes.values.lazy.flatMap(\.requestors.values).flatMap(\.mvpds.values).allSatisfy { provider in
            (provider.authn.map { (try? AuthenticationToken(xml: $0.xml)) != nil } ?? true)
                && provider.authz.values.allSatisfy { (try? AuthorizationToken(xml: $0.xml)) != nil }
        }
    }
}

/// The number of a schema, read first: an image of a newer version is not damaged, only unknown.
private struct StoreSchema: Decodable { let schema: Int }
