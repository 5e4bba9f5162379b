package import Clientless
import Cryptography
import Entitlement
import HTTPServer

/// The code: asking for it, and looking it up for a viewer.
extension SecondScreen {
    /// The QR code brings the code along: the page is the picker, or what comes after it in a browser that knows its
    /// viewer. Whether the TV shows the code is asked once, where the viewer confirms the TV.
    func showCode(_ visit: Visit) async throws -> ScreenAnswer {
        let given = visit.query["code"] ?? ""
        // A request that another site caused is not looked up, or that site could guess with the viewer's address.
        guard let code = RegistrationCodeText(given), CrossSiteRequest(visit.request, self.context.origins) == nil
        else { return .page(self.codePage(visit, filledWith: given, problem: nil)) }
        return try await self.open(code, typed: given, visit) { record in
            .page(try self.providerPage(record, visit, problem: nil))
        }
    }

    /// The short address of a QR code: to the page that asks for the code, filled in.
    ///
    /// Every code that could be one is answered alike, and nothing is looked up.
    func followShortAddress(_ request: HTTPRequest) -> HTTPResponse {
        let code = RegistrationCodeText(request.segment("code"))
        return Answer.redirect(to: code.map { ScreenPath.activate($0) } ?? ScreenPath.activate, status: .seeOther)
            .adding("Referrer-Policy", "no-referrer")
    }

    func takeCode(_ visit: Visit) async throws -> ScreenAnswer {
        let typed = visit.form["code"] ?? ""
        guard ForeignText(typed) != nil else {
            return .page(self.codePage(visit, filledWith: "", problem: .codeMissing), status: .badRequest)
        }
        guard let code = TypedCode.read(typed) else {
            return .page(self.codePage(visit, filledWith: typed, problem: .codeUnknown), status: .badRequest)
        }
        return try await self.open(code, typed: typed, visit) { record in
            guard let mvpd = self.onlyChoice(for: record) else {
                await self.noteOpened(record, visit)
                return .go(ScreenPath.provider(of: record.code))
            }
            return try await self.begin(record, at: mvpd, visit)
        }
    }

    /// Looks a code up, and goes on with it: to where it led before, to the confirmation in a browser that knows its
    /// viewer, else to what `others` says.
    private func open(
        _ code: RegistrationCodeText, typed: String, _ visit: Visit,
        others: (RegistrationRecord) async throws -> ScreenAnswer
    ) async throws -> ScreenAnswer {
        guard let record = try await self.openRecord(code, visit) else {
            if let answer = await self.whereItLed(code, visit) { return answer }
            return .page(self.codePage(visit, filledWith: typed, problem: .codeUnknown), status: .badRequest)
        }
        if let recent = await self.recentSignIn(visit), [nil, recent.mvpd].contains(record.mvpd),
            self.offers(recent.mvpd, for: record)
        {
            do {
                return try await self.begin(record, at: recent.mvpd, visit, recent: recent)
            } catch let error as EntitlementError where error.code == .providerUnavailable {
                // Another member of the household may have another provider.
                throw Problem(error, goingOn: .picker(record.code))
            }
        }
        return try await others(record)
    }

    /// Lets the box say that a viewer has its code. The next page reports faults of the store or the code.
    func noteOpened(_ record: RegistrationRecord, _ visit: Visit) async {
        try? await self.domain.codes.noteOpened(record, now: visit.now)
    }

    /// Whether the code that was just typed is one, for the script of its page. It is looked up and counted as when the
    /// form is sent, and a viewer learns no more by it.
    func checkCode(_ visit: Visit) async throws -> ScreenAnswer {
        guard let code = TypedCode.read(visit.form["code"] ?? "") else { return .lines(["wrong"]) }
        if try await self.openRecord(code, visit) != nil { return .lines(["good"]) }
        // A code that is over or used is none any more, and the button says why.
        guard case .go? = await self.whereItLed(code, visit) else { return .lines(["wrong"]) }
        return .lines(["good"])
    }

    /// The provider that needs no picker: the one the box chose (rest-v1 27), if these pages offer it, or the only one
    /// there is.
    private func onlyChoice(for record: RegistrationRecord) -> MVPDID? {
        if let mvpd = record.mvpd, self.offers(mvpd, for: record) { return mvpd }
        guard let requestor = self.domain.catalogue.requestor(record.requestor) else { return nil }
        let offered = self.domain.catalogue.mvpdsOnOwnPage(of: requestor)
        return offered.count == 1 ? offered[0].id : nil
    }

    /// The record of a code that still waits for a viewer.
    ///
    /// Unknown, used, declined and expired codes take the same steps and give the same answer.
    /// - Throws: `tooManyAttempts` before anything is looked up.
    func openRecord(_ code: RegistrationCodeText, _ visit: Visit) async throws -> RegistrationRecord? {
        var guesser = visit.guesser
        guesser.session = self.domain.keys.sessionHash(visit.browser.identity)
        do throws(EntitlementError) {
            return try await self.domain.codes.lookUp(code, of: nil, for: .completing, by: guesser, now: visit.now)
        } catch {
            guard [.codeUnknown, .codeUsed, .codeDeclined].contains(error.code) else { throw error }
            return nil
        }
    }

    /// The outcome of a code that no longer waits, for the browser that went through a login with it. Any other learns
    /// nothing: to a guesser all such codes are alike.
    func whereItLed(_ code: RegistrationCodeText, _ visit: Visit) async -> ScreenAnswer? {
        guard let token = LastLogin.of(visit.request, isSecure: visit.isSecure),
            let view = try? await self.domain.logins.login(token, browser: visit.browser.identity, now: visit.now),
            view.record.code == code
        else { return nil }
        switch view.stage(at: visit.now) {
        case .signIn: return .go(ScreenPath.signIn(token))
        case .handedOver: return .go(ScreenPath.handOver(token))
        case .confirm: return .go(ScreenPath.confirm(token))
        // The code of a look at boxes is shown nowhere.
        case .boxes: return nil
        case .done: return view.attempt.origin == .secondScreen ? .go(ScreenPath.done(token)) : nil
        case .declined: return .go(ScreenPath.declined)
        case .answered, .gone:
            let isOver = view.record.life.state(at: visit.now) == .expired
            let page = self.codePage(visit, filledWith: "", problem: isOver ? .codeOver : .codeUsed)
            return .page(page, status: .badRequest)
        }
    }
}

/// A code as a person types it: with other dashes and blanks, on a keyboard of their script, and with symbols that no
/// issued code has but that look like one it has.
package enum TypedCode {
    /// - Returns: `nil` when no code can be meant.
    package static func read(_ text: String) -> RegistrationCodeText? {
        guard text.utf8.count <= 64 else { return nil }
        var plain = ""
        for scalar in text.unicodeScalars {
            guard let symbol = self.symbol(scalar.value) else { return nil }
            plain.unicodeScalars.append(contentsOf: symbol)
        }
        return RegistrationCodeText(plain)
    }

    /// The symbol that `scalar` stands for, or none for a separator.
    private static func symbol(_ scalar: UInt32) -> [Unicode.Scalar]? {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20, 0x2D, 0xA0, 0xAD, 0x2000...0x200F, 0x2010...0x2015, 0x2066...0x2069, 0x2212,
            0x3000, 0x30FC, 0xFE58, 0xFE63:
            return []
        // Full-width letters, digits and hyphens, which Japanese keyboards type.
        case 0xFF01...0xFF5E: return self.symbol(scalar - 0xFEE0)
        case 0x0660...0x0669: return self.symbol(scalar - 0x0660 + 0x30)
        case 0x06F0...0x06F9: return self.symbol(scalar - 0x06F0 + 0x30)
        // Codes have neither vowels nor 0 and 1 (rest-v1 11.1).
        case 0x31, 0x49, 0x69: return ["L"]
        case 0x30, 0x4F, 0x6F: return ["Q"]
        case 0x55, 0x75: return ["V"]
        case 0x32...0x39, 0x41...0x5A, 0x61...0x7A: return Unicode.Scalar(scalar).map { [$0] }
        default: return nil
        }
    }
}

/// Browsers in which the viewer signed in within the day.
extension SecondScreen {
    private static let recentCookie = PageCookie(
        "latchkey-recent", lifetime: Int(Logins.recentLifetime.components.seconds))
    /// The cookie's value once the viewer is done or wants another account: for a day providers are to ask anew.
    private static let over = "."
    static func asksAnew(_ request: HTTPRequest, isSecure: Bool) -> Bool {
        self.recentCookie.value(in: request, isSecure: isSecure) == self.over
    }

    func recentSignIn(_ visit: Visit) async -> RecentSignIn? {
        guard let sealed = self.kept(visit) else { return nil }
        return await self.domain.logins.recentSignIn(sealed, in: visit.browser.identity, now: visit.now)
    }

    /// Whether the browser may have come here without being asked who the viewer is.
    func mayBeRecent(_ visit: Visit) -> Bool { self.kept(visit) != nil }

    /// Goes on from a confirmed box, and lets the browser keep the sign-in.
    func keeping(_ view: LoginView, _ visit: Visit, _ answer: ScreenAnswer) async -> ScreenAnswer {
        guard case .go(let path) = answer,
            let sealed = await self.domain.logins.kept(
                after: view, in: visit.browser.identity, former: self.kept(visit), now: visit.now)
        else { return answer }
        return .keep([Self.recentCookie.setting(Base64.encodeURL(sealed), isSecure: visit.isSecure)], at: path)
    }

    /// Goes on, and lets the browser forget who signed in; once they are done also the session of every login, as a
    /// finished one would offer the next person a passkey.
    func forgetting(_ visit: Visit, isDone: Bool, at path: String) -> ScreenAnswer {
        let session = isDone ? [BrowserSession.forgetting(isSecure: visit.isSecure)] : []
        return .keep([Self.recentCookie.setting(Self.over, isSecure: visit.isSecure)] + session, at: path)
    }

    private func kept(_ visit: Visit) -> [UInt8]? {
        Self.recentCookie.value(in: visit.request, isSecure: visit.isSecure).flatMap {
            $0.utf8.count <= 1024 ? Base64.decodeURL($0) : nil
        }
    }
}
