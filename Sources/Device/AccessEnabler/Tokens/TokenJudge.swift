import Clientless

/// Decides which tokens count for a requestor on this device (access-enabler 11.3, 11.7, 11.10).
struct TokenJudge: Sendable {
    let configuration: RequestorConfiguration
    let deviceID: String
    let deviceScope: String
    let now: Timestamp

    private var requestor: String { self.configuration.requestor.text }

    /// Unexpired, of a provider of the requestor, bound to this device.
    func isValid(_ token: StoreImage.Authentication, mvpdID: String) -> Bool {
        token.expires > self.now.milliseconds && self.isOurs(token) && self.configuration.provider(mvpdID) != nil
    }

    func isOurs(_ token: StoreImage.Authentication) -> Bool {
        token.deviceScope == self.deviceScope && token.boundDeviceID == self.deviceID
    }

    func current(_ image: StoreImage) -> (mvpdID: String, token: StoreImage.Authentication)? {
        let branch = image[requestor: self.requestor]
        guard let id = branch.currentMvpd, let token = branch.mvpds[id]?.authn, self.isValid(token, mvpdID: id)
        else { return nil }
        return (id, token)
    }

    func hasValidAuthentication(_ image: StoreImage) -> Bool {
        image[requestor: self.requestor].mvpds.contains { id, provider in
            provider.authn.map { self.isValid($0, mvpdID: id) } ?? false
        }
    }

    /// Removes tokens of the own scope that are bound to another device ID.
    /// - Returns: whether one was the requestor's.
    func sanitize(_ image: inout StoreImage) -> Bool {
        var isOwn = false
        for requestor in image.requestors.keys {
            let removed = self.remove(&image, of: requestor) { _, token in
                token.deviceScope == self.deviceScope && token.boundDeviceID != self.deviceID
            }
            if removed { image[ending: requestor] = .deviceChanged }
            if removed, requestor == self.requestor { isOwn = true }
        }
        return isOwn
    }

    /// Takes over the newest valid sign-in: of this requestor at another provider, or of another requestor where
    /// single sign-on allows it (access-enabler D-31).
    func adopt(_ image: inout StoreImage, fromPlatform: Bool = true) {
        // A provider that is no longer in the list is not remembered (access-enabler D-07).
        if let id = image[requestor: self.requestor].currentMvpd, self.configuration.provider(id) == nil {
            image[requestor: self.requestor].canAuthenticate = false
        }
        guard self.current(image) == nil else { return }
        // A provider that the viewer left for the one in use does not come back when that runs out.
        let branch = image[requestor: self.requestor]
        let left = branch.currentMvpd.flatMap { branch.mvpds[$0]?.authn?.stored } ?? .min
        var best: (requestor: String, mvpd: String, token: StoreImage.Authentication)?
        for (requestor, branch) in image.requestors {
            for (id, provider) in branch.mvpds {
                guard let token = provider.authn, self.isValid(token, mvpdID: id),
                    requestor == self.requestor ? token.stored > left : self.isShareable(token, mvpdID: id),
                    fromPlatform || token.origin != .platform,
                    token.stored > best?.token.stored ?? .min
                else { continue }
                best = (requestor, id, token)
            }
        }
        guard let best else { return }
        if best.requestor != self.requestor {
            image[requestor: self.requestor, mvpd: best.mvpd] = StoreImage.Provider(
                authn: best.token, userMetadata: image[requestor: best.requestor, mvpd: best.mvpd].userMetadata)
        }
        image[requestor: self.requestor].currentMvpd = best.mvpd
        image[requestor: self.requestor].canAuthenticate = true
    }

    private func isShareable(_ token: StoreImage.Authentication, mvpdID: String) -> Bool {
        guard let facts = self.configuration.provider(mvpdID) else { return false }
        // The server keeps what the box's account signed in for that requestor alone.
        return !facts.authenticatesPerRequestor && facts.allowsSingleSignOn && facts.pass == nil
            && token.origin == .regular
    }

    /// The application may no longer use the box's account: the requestor's tokens from there go. Those of other
    /// requestors stay, for applications whose permission is their own.
    func withdrawPlatform(_ image: inout StoreImage) {
        self.remove(&image, of: self.requestor) { _, token in self.isOurs(token) && token.origin == .platform }
        self.adopt(&image, fromPlatform: false)
    }

    /// Removes tokens that came from an account which is no longer the box's: all when the box is signed out, else the
    /// requestor's of other providers than the one of this platform ID.
    func removePlatformTokens(_ image: inout StoreImage, unless identifier: String?) {
        guard let identifier else {
            for requestor in image.requestors.keys {
                self.remove(&image, of: requestor) { _, token in self.isOurs(token) && token.origin == .platform }
            }
            return self.adopt(&image)
        }
        self.remove(&image, of: self.requestor) { id, token in
            self.isOurs(token) && token.origin == .platform
                && self.configuration.provider(id)?.platformMappingID != identifier
        }
        self.adopt(&image, fromPlatform: false)
    }

    /// - Returns: whether there was one.
    @discardableResult
    private func remove(
        _ image: inout StoreImage, of requestor: String,
        where isUnwanted: (_ mvpdID: String, _ token: StoreImage.Authentication) -> Bool
    ) -> Bool {
        guard let branch = image.requestors[requestor] else { return false }
        var removed = false
        for (id, provider) in branch.mvpds {
            guard let token = provider.authn, isUnwanted(id, token) else { continue }
            removed = true
            image.requestors[requestor]?.mvpds[id] = nil
            if branch.currentMvpd == id {
                image.requestors[requestor]?.currentMvpd = nil
                image.requestors[requestor]?.canAuthenticate = false
            }
        }
        return removed
    }

    /// Imports the requestor's branch of an older store (access-enabler 11.9): only until the first sign-in or logout,
    /// for the older store is left as it is and would bring back a sign-in that is over.
    func take(from older: StoreImage, into image: inout StoreImage) {
        guard image.generation == 0, image.requestors[self.requestor] == nil else { return }
        let branch = older[requestor: self.requestor]
        for (id, provider) in branch.mvpds {
            guard let token = provider.authn, self.isValid(token, mvpdID: id) else { continue }
            image[requestor: self.requestor, mvpd: id] = provider
            if branch.currentMvpd == id || image[requestor: self.requestor].currentMvpd == nil {
                image[requestor: self.requestor].currentMvpd = id
                image[requestor: self.requestor].canAuthenticate = branch.canAuthenticate
            }
        }
    }

    /// A sign-in of another requestor to authenticate passively with (access-enabler 9.9).
    func foreignSignIn(_ image: StoreImage, mvpdID: String) -> String? {
        image.requestors.lazy.filter { $0.key != self.requestor }
            .compactMap { $0.value.mvpds[mvpdID]?.authn }
            .filter { self.isValid($0, mvpdID: mvpdID) }
            .max { $0.stored < $1.stored }?.xml
    }
}
