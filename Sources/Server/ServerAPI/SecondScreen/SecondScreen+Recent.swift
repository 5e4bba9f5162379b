import Cryptography
import Entitlement

/// Browsers in which the viewer signed in within the day.
extension SecondScreen {
    private static let recentCookie = PageCookie(
        "latchkey-recent", lifetime: Int(Logins.recentLifetime.components.seconds))

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

    /// Goes on, and lets the browser forget who signed in.
    func forgetting(_ visit: Visit, at path: String) -> ScreenAnswer {
        .keep([Self.recentCookie.forgetting(isSecure: visit.isSecure)], at: path)
    }

    private func kept(_ visit: Visit) -> [UInt8]? {
        Self.recentCookie.value(in: visit.request, isSecure: visit.isSecure).flatMap {
            $0.utf8.count <= 1024 ? Base64.decodeURL($0) : nil
        }
    }
}
