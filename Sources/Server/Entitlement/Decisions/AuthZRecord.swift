package import Clientless

/// Server-side proof that the provider permits one resource to one device (rest-v1 9); one per resource.
package struct AuthZRecord: Hashable, Sendable {
    /// The AuthN record it belongs to, and ends with.
    package let authentication: AuthNID
    package let device: DeviceHash
    package let requestor: RequestorID
    package private(set) var resource: Resource
    package let mvpd: MVPDID
    package let origin: AuthZOrigin
    package let created: Timestamp
    package let expires: Timestamp

    package init(
        authentication: AuthNID, device: DeviceHash, requestor: RequestorID, resource: Resource, mvpd: MVPDID,
        origin: AuthZOrigin = .provider, created: Timestamp, expires: Timestamp
    ) {
        self.authentication = authentication
        self.device = device
        self.requestor = requestor
        self.resource = resource
        self.mvpd = mvpd
        self.origin = origin
        self.created = created
        self.expires = expires
    }

    /// The same decision for the resource as a caller wrote it.
    consuming func written(_ resource: Resource) -> AuthZRecord {
        precondition(resource == self.resource, "a decision is about its own resource")
        self.resource = resource
        return self
    }

    /// Whether it is the decision on `resource` of a sign-in, for a requestor.
    func isAbout(_ resource: Resource, of authentication: AuthNID, _ requestor: RequestorID) -> Bool {
        self.authentication == authentication && self.requestor == requestor && self.resource == resource
    }

    package func isCurrent(at now: Timestamp) -> Bool { now < self.expires }
}

/// The origin of a permit (rest-v1 20, 25).
package enum AuthZOrigin: String, Hashable, Sendable, Codable {
    case provider
    case temporaryPass
    case degraded
}
