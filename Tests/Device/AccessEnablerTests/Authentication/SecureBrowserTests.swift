import AccessEnabler
import AccessEnablerConstants
import Synchronization
import TestSupport
import Testing

/// Opens nothing, and remembers what it was to open.
final class Presenter: AccessEnabler.UserAgentPresenter {
    private let urls = Mutex<[String]>([])
    let opens = Signal<String>()
    var opened: [String] { self.urls.withLock { $0 } }

    func open(_ url: String) async {
        self.urls.withLock { $0.append(url) }
        self.opens.send(url)
    }
}

private let secure = ScriptedProvider("CableNova") { $0.metadata = #""secureBrowserRequired":true"# }

@Suite("A login in the secure browser", .box, .timeLimit(.minutes(5)))
struct SecureBrowserTests {
    private static func application(
        handlesSVC: Bool?, presenter: Presenter? = Presenter()
    ) async throws -> TestApplication {
        service.set { $0.providers = [secure, .init("SatOne")] }
        let application = try await box.inBrowser(service) {
            $0.customScheme = "adbe.u-XFX"
            $0.userAgentPresenter = presenter
        }
        if let handlesSVC { application.enabler.setOptions(["handleSVC": .bool(handlesSVC)]) }
        return application
    }

    /// Starts a login at the provider that requires it; returns the page the application is to open.
    private static func openPage(_ application: TestApplication) async throws -> String {
        await application.showPicker()
        application.enabler.setSelectedProvider("CableNova")
        await application.recorder.wait(for: "navigateToUrl:useSVC:")
        return try #require(application.recorder.callbacks.last?.arguments.first)
    }

    @Test("T-114 UA: handleSVC true and an MVPD that requires it calls navigateToUrl:useSVC: with true")
    func handled() async throws {
        let presenter = Presenter()
        let application = try await Self.application(handlesSVC: true, presenter: presenter)
        let url = try await Self.openPage(application)
        #expect(url.hasPrefix(service.url) && query(of: url)["redirect_url"] == "adbe.u-XFX://adobe.com")
        #expect(application.recorder.callbacks.last?.arguments.last == "true")
        #expect(application.recorder.count("navigateToUrl") == 0 && presenter.opened.isEmpty)
    }

    @Test func `T-115 UA: handleSVC true and an MVPD that does not require it calls navigateToUrl:`() async throws {
        let presenter = Presenter()
        let application = try await Self.application(handlesSVC: true, presenter: presenter)
        let url = try await application.openPage("SatOne")
        #expect(query(of: url)["redirect_url"] == ADOBEPASS_REDIRECT_URL)
        #expect(application.recorder.count("navigateToUrl:useSVC:") == 0 && presenter.opened.isEmpty)
    }

    @Test(
        "T-116 UA: handleSVC false and an MVPD that requires it opens the presenter and calls neither navigation callback",
        arguments: [false, nil])
    func presented(handlesSVC: Bool?) async throws {
        let presenter = Presenter()
        let application = try await Self.application(handlesSVC: handlesSVC, presenter: presenter)
        await application.showPicker()
        application.enabler.setSelectedProvider("CableNova")
        let url = try #require(await presenter.opens.next())
        service.confirm()
        #expect(
            await application.enabler.completeNavigation("adbe.u-XFX://adobe.com")
                == .authenticated(mvpdID: "CableNova"))
        #expect(url.hasPrefix(service.url) && presenter.opened == [url])
        #expect(!application.recorder.callbacks.contains { $0.name.hasPrefix("navigateToUrl") })
    }

    @Test func `T-117 UA: a secure-browser login is completed by the application's custom scheme`() async throws {
        let application = try await Self.application(handlesSVC: true)
        _ = try await Self.openPage(application)
        service.confirm()
        // The signal of the other kind of navigation does not end it.
        application.enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        try await application.roundTrip()
        #expect(application.outcomes.isEmpty)
        application.enabler.handleExternalURL("ADBE.u-xfx://Adobe.com/?state=1")
        await application.recorder.wait(for: "setAuthenticationStatus")
        #expect(application.outcomes == [.authenticated])
    }

    @Test("Without a presenter an MVPD that requires the secure browser is left to the application")
    func noPresenter() async throws {
        let application = try await Self.application(handlesSVC: false, presenter: nil)
        #expect(try await Self.openPage(application).hasPrefix(service.url))
    }
}
