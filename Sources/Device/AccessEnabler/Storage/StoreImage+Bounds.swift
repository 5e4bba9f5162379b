import Clientless

/// How much a store holds at most (access-enabler D-58). The oldest entries beyond that go.
///
/// Decisions are a cache: one that is missing is asked for again. Sign-ins are not, so no clock ends them here; only
/// their number does.
extension StoreImage {
    /// Decisions of one requestor.
    package static let decisionLimit = 500
    /// Bytes of all decisions together: a decision on a long resource takes kilobytes, and every change writes them
    /// all.
    package static let decisionByteLimit = 1 << 20
    /// Requestors of one scope, and providers of one requestor.
    package static let branchLimit = 100
    /// Device scopes, and registrations at one server.
    package static let memberLimit = 32
    /// Servers with a registration.
    package static let serverLimit = 32
    /// The largest image that is written, in bytes; half of the largest that is read.
    package static let byteLimit = 4 << 20

    /// Removes decisions that are over, and then the oldest entries beyond the limits.
    mutating func prune(at now: Timestamp) {
        for (scope, content) in self.scopes { self.scopes[scope] = content.pruned(at: now) }
        // The own scope is in use, however long ago its viewer signed in.
        self.scopes.keepNewest(Self.memberLimit) { name, scope in name == self.scope ? .max : scope.newest }
        for server in self.registrations.keys {
            // A registration without an access token was made just now.
            self.registrations[server]?.keepNewest(Self.memberLimit) { _, registration in registration.renewAt ?? .max }
        }
        self.registrations.keepNewest(Self.serverLimit) { _, statements in
            statements.values.map { $0.renewAt ?? .max }.max() ?? 0
        }
        self.dropDecisions(beyond: Self.decisionByteLimit)
    }

    private mutating func dropDecisions(beyond limit: Int) {
        var places: [(scope: String, requestor: String, mvpd: String, resource: String, expires: Int64, size: Int)] = []
        for (scope, content) in self.scopes {
            for (requestor, branch) in content.requestors {
                for (mvpd, provider) in branch.mvpds {
                    for (resource, decision) in provider.authz {
                        // About how many bytes it takes in the file.
                        let size = resource.utf8.count + decision.xml.utf8.count + 64
                        places.append((scope, requestor, mvpd, resource, decision.expires, size))
                    }
                }
            }
        }
        var size = places.reduce(0) { $0 + $1.size }
        guard size > limit else { return }
        for place in places.sorted(by: { $0.expires < $1.expires }) where size > limit {
            self.scopes[place.scope]?.requestors[place.requestor]?.mvpds[place.mvpd]?.authz[place.resource] = nil
            size -= place.size
        }
    }

    /// The image as bytes, never more than can be read again; its decisions go where they are too many bytes.
    /// - Throws: when it is too large without its decisions.
    mutating func encodeWithinBounds() throws(AccessEnabler.TokenStoreError) -> [UInt8] {
        let bytes = try self.encoded()
        guard bytes.count > Self.byteLimit else { return bytes }
        self.dropDecisions(beyond: 0)
        let rest = try self.encoded()
        guard rest.count <= Self.byteLimit else {
            throw AccessEnabler.TokenStoreError("the tokens are too many to be kept: \(rest.count) bytes")
        }
        return rest
    }
}

extension StoreImage.Scope {
    /// When the newest of its sign-ins was stored.
    fileprivate var newest: Int64 { self.requestors.values.map(\.newest).max() ?? 0 }

    fileprivate func pruned(at now: Timestamp) -> StoreImage.Scope {
        var copy = self
        copy.requestors = self.requestors.mapValues { $0.pruned(at: now) }
        copy.requestors.keepNewest(StoreImage.branchLimit) { _, requestor in requestor.newest }
        copy.endings?.keepNewest(StoreImage.branchLimit) { _, _ in 0 }
        return copy
    }
}

extension StoreImage.Requestor {
    fileprivate var newest: Int64 { self.mvpds.values.compactMap { $0.authn?.stored }.max() ?? 0 }

    fileprivate func pruned(at now: Timestamp) -> StoreImage.Requestor {
        var copy = self
        copy.mvpds = self.mvpds.mapValues { provider in
            guard provider.authz.contains(where: { $0.value.expires <= now.milliseconds }) else { return provider }
            var provider = provider
            provider.authz = provider.authz.filter { $0.value.expires > now.milliseconds }
            return provider
        }
        let current = self.currentMvpd
        copy.mvpds.keepNewest(StoreImage.branchLimit) { id, provider in
            id == current ? .max : provider.authn?.stored ?? 0
        }
        copy.keepDecisions(StoreImage.decisionLimit)
        return copy
    }

    /// Those that end last are those that were taken last.
    private mutating func keepDecisions(_ limit: Int) {
        guard self.mvpds.values.reduce(0, { $0 + $1.authz.count }) > limit else { return }
        let all = self.mvpds.flatMap { id, provider in
            provider.authz.map { (mvpd: id, resource: $0.key, expires: $0.value.expires) }
        }
        for place in all.sorted(by: { $0.expires < $1.expires }).prefix(all.count - limit) {
            self.mvpds[place.mvpd]?.authz[place.resource] = nil
        }
    }
}

extension Dictionary where Key == String {
    /// Keeps `limit` entries, those whose `moment` is the latest.
    fileprivate mutating func keepNewest(_ limit: Int, _ moment: (Key, Value) -> Int64) {
        guard self.count > limit else { return }
        let oldest = self.map { (key: $0.key, moment: moment($0.key, $0.value)) }
            .sorted { ($0.moment, $0.key) < ($1.moment, $1.key) }
        for entry in oldest.prefix(self.count - limit) { self[entry.key] = nil }
    }
}
