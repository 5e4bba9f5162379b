import Clientless
import FoundationEssentials

/// The image of schema 1: one slot for each requestor and provider, whatever the device scope, and one registration for
/// each server. Read only, and read generously: as access-enabler 11.6 prints it, too.
struct FirstSchema: Decodable {
    private let generation: Int
    private let requestors: [String: Requestor]
    private let registrations: [String: Registration]
    private let machineSalt: String?
    private let code: StoreImage.Code?

    private enum CodingKeys: CodingKey { case generation, requestors, registrations, machineSalt, code }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.generation = try container.decodeIfPresent(Int.self, forKey: .generation) ?? 0
        self.requestors = try container.decodeIfPresent([String: Requestor].self, forKey: .requestors) ?? [:]
        self.registrations = try container.decodeIfPresent([String: Registration].self, forKey: .registrations) ?? [:]
        self.machineSalt = try container.decodeIfPresent(String.self, forKey: .machineSalt)
        self.code = try container.decodeIfPresent(StoreImage.Code.self, forKey: .code)
    }

    /// The image of today. Each slot goes to the device scope of its token; one without a token to the reader's.
    func image(scope: String) -> StoreImage {
        var image = StoreImage(scope: scope)
        for (id, requestor) in self.requestors {
            for (mvpd, provider) in requestor.mvpds {
                let owner = provider.authn?.deviceScope ?? scope
                image.scopes[owner, default: .init()].requestors[id, default: .init()].mvpds[mvpd] = provider.image
            }
            guard requestor.currentMvpd != nil || requestor.canAuthenticate || requestor.mvpds.isEmpty else { continue }
            let current = requestor.currentMvpd.flatMap { requestor.mvpds[$0]?.authn?.deviceScope } ?? scope
            image.scopes[current, default: .init()].requestors[id, default: .init()].currentMvpd = requestor.currentMvpd
            image.scopes[current]?.requestors[id]?.canAuthenticate = requestor.canAuthenticate
        }
        for (server, registration) in self.registrations {
            image[registration: server, registration.statement] = StoreImage.Registration(
                clientID: registration.clientID, clientSecret: registration.clientSecret,
                accessToken: registration.accessToken, renewAt: registration.renewAt)
        }
        image.code = self.code
        image.machineSalt = self.machineSalt
        for owner in Set(image.scopes.keys).union(self.generation > 0 ? [scope] : []) {
            image.scopes[owner, default: .init()].generation = self.generation
        }
        return image
    }
}

extension FirstSchema {
    private struct Registration: Decodable {
        let clientID: String
        let clientSecret: String
        let statement: String
        let accessToken: String?
        let renewAt: Int64?
    }

    private struct Requestor: Decodable {
        let currentMvpd: String?
        let canAuthenticate: Bool
        let mvpds: [String: Provider]

        private enum CodingKeys: CodingKey { case currentMvpd, canAuthenticate, mvpds }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.currentMvpd = try container.decodeIfPresent(String.self, forKey: .currentMvpd)
            self.canAuthenticate = try container.decodeIfPresent(Bool.self, forKey: .canAuthenticate) ?? false
            self.mvpds = try container.decodeIfPresent([String: Provider].self, forKey: .mvpds) ?? [:]
        }
    }

    private struct Provider: Decodable {
        let authn: Authentication?
        private let authz: [String: Authorization]
        private let userMetadata: String?

        private enum CodingKeys: CodingKey { case authn, authz, userMetadata }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.authn = try container.decodeIfPresent(Authentication.self, forKey: .authn)
            self.authz = try container.decodeIfPresent([String: Authorization].self, forKey: .authz) ?? [:]
            // The payload as it came, or the object it is.
            if !container.contains(.userMetadata) {
                self.userMetadata = nil
            } else if let text = try? container.decode(String?.self, forKey: .userMetadata) {
                self.userMetadata = text
            } else if try container.decodeNil(forKey: .userMetadata) {
                self.userMetadata = nil
            } else {
                let object = try container.decode([String: AnyJSON].self, forKey: .userMetadata)
                self.userMetadata = String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
            }
        }

        var image: StoreImage.Provider {
            StoreImage.Provider(
                authn: self.authn?.image,
                authz: self.authz.mapValues { StoreImage.Authorization(xml: $0.xml, expires: $0.expires) },
                userMetadata: self.userMetadata)
        }
    }

    private struct Authentication: Decodable {
        let deviceScope: String
        private let xml: String
        private let expires: Int64
        private let boundDeviceID: String
        private let origin: StoreImage.Origin
        private let stored: Int64

        private enum CodingKeys: CodingKey { case xml, expires, deviceScope, boundDeviceID, origin, stored }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let xml = try container.decode(String.self, forKey: .xml)
            self.xml = xml
            self.expires = try container.end(.expires) { (try? AuthenticationToken(xml: xml))?.expires }
            self.deviceScope = try container.decode(String.self, forKey: .deviceScope)
            self.boundDeviceID = try container.decode(String.self, forKey: .boundDeviceID)
            self.origin = try container.decode(StoreImage.Origin.self, forKey: .origin)
            self.stored = try container.decodeIfPresent(Int64.self, forKey: .stored) ?? 0
        }

        var image: StoreImage.Authentication {
            StoreImage.Authentication(
                xml: self.xml, expires: self.expires, deviceScope: self.deviceScope,
                boundDeviceID: self.boundDeviceID, origin: self.origin, stored: self.stored)
        }
    }

    private struct Authorization: Decodable {
        let xml: String
        let expires: Int64

        private enum CodingKeys: CodingKey { case xml, expires }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let xml = try container.decode(String.self, forKey: .xml)
            self.xml = xml
            self.expires = try container.end(.expires) { (try? AuthorizationToken(xml: xml))?.expires }
        }
    }
}

/// A value of JSON of any kind, kept as it is.
private indirect enum AnyJSON: Codable {
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([AnyJSON])
    case object([String: AnyJSON])
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([AnyJSON].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        case .null: try container.encodeNil()
        }
    }
}

extension KeyedDecodingContainer {
    /// The end of a token: milliseconds since 1970 as a number, a date as a text, or else the end that the token says
    /// itself; a token that says nothing is over.
    fileprivate func end(_ key: Key, inToken end: () -> Timestamp?) throws -> Int64 {
        if let number = try? self.decode(Int64.self, forKey: key) { return number }
        let text = try self.decode(String.self, forKey: key)
        return (TokenDate.parse(text) ?? end())?.milliseconds ?? 0
    }
}
