import Clientless

// Decisions and media tokens (access-enabler 7.14, 7.15, 9.5).
extension AccessEnabler {
    func authorize(_ request: AuthorizationArguments) async {
        guard self.gate == .open, self.configuration != nil else {
            return self.fail(
                request, AccessEnablerError.genericAuthorization, "The application is not configured.",
                because: EntitlementError(.notConfigured))
        }
        let signIn = await self.usableSignIn()
        self.trackCheck(signIn)
        guard let signIn else {
            if request.startsLogin { return await self.logInFirst(request) }
            self.report(AdvancedStatus("N000", .info))
            _ = self.failAuthentication(AccessEnablerError.userNotAuthenticated)
            return self.fail(request, AccessEnablerError.userNotAuthenticated)
        }
        do throws(EntitlementError) {
            let token = try await self.mediaToken(request, signIn)
            self.report(.token(token))
            request.reply(.success(token))
        } catch {
            await self.fail(request, error, signIn)
        }
    }

    private func logInFirst(_ request: AuthorizationArguments) async {
        if !self.flow.isRunning {
            await self.authenticate(AuthenticationRequest(data: request.data), nil)
            if self.flow.isRunning { self.login.begunBy = request.reply?.caller }
            // A login that needs no viewer may be over already.
            guard self.flow.isRunning else {
                // One that failed at once has been reported.
                guard await self.usableSignIn() != nil else {
                    return self.fail(request, AccessEnablerError.userNotAuthenticated)
                }
                var request = request
                request.startsLogin = false
                return await self.authorize(request)
            }
        }
        self.login.authorizations.append(request)
    }

    func fail(
        _ request: AuthorizationArguments, _ code: String, _ description: String = "",
        because cause: EntitlementError? = nil
    ) {
        let failure = AuthorizationFailure(
            resource: request.resource, code: code, description: description, cause: cause)
        self.report(.tokenRequestFailed(failure))
        request.reply(.failure(failure))
    }

    private func mediaToken(
        _ request: AuthorizationArguments, _ signIn: CurrentSignIn
    ) async throws(EntitlementError) -> MediaToken {
        guard let resource = Resource(request.resource)
        else { throw EntitlementError(.notAuthorized, reported: "Z130") }
        var cached = await self.cachedPermit(resource, signIn)
        if cached != nil { self.trackPermit(signIn, isCached: true) }
        while true {
            var permit = cached ?? ""
            if cached == nil { permit = try await self.countedPermit(resource, request.data, signIn) }
            do throws(EntitlementError) {
                let text = try await self.server(about: signIn.facts)
                    .mediaToken(authorization: permit, authentication: signIn.token.xml)
                return MediaToken(token: text, resource: request.resource, expires: mediaTokenEnd(text))
            } catch {
                // The decision ran out or was withdrawn on the server: once more, and no more than once.
                // A media token can be denied as well, though the decision was given before.
                let isDenial = error.reported?.hasPrefix("Z") ?? false
                let isOver =
                    error.code == .sessionExpired || error.code == .refused || error.code == .credentialsRefused
                    || isDenial
                guard cached != nil, isOver else {
                    guard isDenial else { throw error }
                    throw EntitlementError(.notAuthorized, detail: error.detail, reported: error.reported)
                }
            }
            cached = nil
        }
    }

    private func cachedPermit(_ resource: Resource, _ signIn: CurrentSignIn) async -> String? {
        guard let configuration = self.configuration, let image = try? await self.vault.image(),
            let kept = image[requestor: configuration.requestor.text, mvpd: signIn.facts.id]
                .authz[resource.storeKey],
            kept.expires > self.now(configuration).milliseconds
        else { return nil }
        return kept.xml
    }

    /// Asks for a decision, and counts the answer: once, whatever becomes of the media token (access-enabler 15.1).
    private func countedPermit(
        _ resource: Resource, _ data: [String: String], _ signIn: CurrentSignIn
    ) async throws(EntitlementError) -> String {
        do throws(EntitlementError) {
            let (token, metadata) = try await self.server(about: signIn.facts)
                .authorize(resource, mvpdID: signIn.facts.id, token: signIn.token.xml, data: data)
            await self.keep(token, metadata, of: resource, signIn)
            if signIn.facts.pass != nil {
                self.report(AdvancedStatus("Z011", .info, resource: resource.text))
            } else if signIn.facts.degradation == .authenticateAll || signIn.facts.degradation == .authorizeAll {
                self.report(AdvancedStatus("Z010", .warning, resource: resource.text))
            }
            self.trackPermit(signIn, isCached: false)
            return token.xml
        } catch {
            let (code, status) = error.authorizationReport(of: "")
            self.trackPermit(
                signIn, isCached: false, error: status.errorId, details: error.words(ofCallback: code))
            throw error
        }
    }

    private func keep(
        _ token: AuthorizationToken, _ metadata: String?, of resource: Resource, _ signIn: CurrentSignIn
    ) async {
        guard let requestor = self.configuration?.requestor.text else { return }
        let kept = StoreImage.Authorization(xml: token.xml, expires: token.expires.milliseconds)
        let xml = signIn.token.xml
        // Without it the next playback asks again; no reason to refuse this one.
        _ = try? await self.vault.update { image in
            // Signed out, or in again, meanwhile: the decision belongs to a sign-in that is gone.
            guard image[requestor: requestor, mvpd: signIn.facts.id].authn?.xml == xml else { return }
            image[requestor: requestor, mvpd: signIn.facts.id].authz[resource.storeKey] = kept
            let known = image[requestor: requestor, mvpd: signIn.facts.id].userMetadata
            if let metadata, UserMetadataPayload.isCurrent(metadata, after: known) {
                image[requestor: requestor, mvpd: signIn.facts.id].userMetadata = metadata
            }
        }
    }

    private func trackPermit(_ signIn: CurrentSignIn, isCached: Bool, error: String = "", details: String = "") {
        self.report(
            .tracking(
                event: TrackingEvent.authorization,
                data: self.tracking.authorization(
                    mvpdID: signIn.facts.id, guid: self.guid(of: signIn), isCached: isCached, error: error,
                    details: details)))
    }
}
