import TestSupport
import Testing

@testable import AccessEnabler

@Suite("checkPreauthorizedResources", .box, .timeLimit(.minutes(5)))
struct PreauthorizedResourcesTests {
    private let path = "/adobe-services/preauthorize"

    private func delivered(_ application: TestApplication) -> [String] {
        application.recorder.callbacks.filter { $0.name == "preauthorizedResources" }.map { $0.arguments[0] }
    }

    @Test(.signedIn) func `T-226 They are delivered in request order`() async throws {
        // The server has an order of its own.
        let body =
            #"{"resources":[{"id":"a","authorized":true},{"id":"b","authorized":false},"#
            + #"{"id":"c","authorized":true}]}"#
        service.answer(self.path, with: .response(200, headers: ["Content-Type": "application/json"], body: body))
        application.enabler.checkPreauthorizedResources(["c", "b", "a"])
        // Partly from the cache.
        application.enabler.checkPreauthorizedResources(["d", "c", "e", "a"])
        await application.settle()
        #expect(self.delivered(application) == ["c,a", "d,c,e,a"])
    }

    @Test("T-225 T-227 Only permitted resources are delivered, and a repeated call with cache makes no server call")
    func cached() async throws {
        let application = try await box.signedIn(service.set { $0.permitted = ["b"] })
        application.enabler.checkPreauthorizedResources(["a", "b", "c"])
        application.enabler.checkPreauthorizedResources(["c", "b"], cache: true)
        await application.settle()
        #expect(service.count(of: self.path) == 1 && self.delivered(application) == ["b", "b"])
    }

    @Test(.signedIn) func `T-228 A repeated call with cache: false makes a server call`() async throws {
        #expect(await application.enabler.preauthorizedResources(among: ["a"]) == ["a"])
        service.set { $0.permitted = [] }
        #expect(await application.enabler.preauthorizedResources(among: ["a"]) == ["a"])
        #expect(service.count(of: self.path) == 1)
        #expect(await application.enabler.preauthorizedResources(among: ["a"], cache: false) == [])
        #expect(service.count(of: self.path) == 2)
        // The answer refreshed the cache.
        #expect(await application.enabler.preauthorizedResources(among: ["a"]) == [])
        #expect(service.count(of: self.path) == 2)
    }

    @Test(.signedIn) func `T-229 With a partly filled cache only unknown resources are asked`() async throws {
        _ = await application.enabler.preauthorizedResources(among: ["a", "b"])
        #expect(await application.enabler.preauthorizedResources(among: ["c", "a", "d", "b"]) == ["c", "a", "d", "b"])
        #expect(
            service.requests.filter { $0.path == self.path }.map { $0.values("resource_id") } == [
                ["a", "b"], ["c", "d"],
            ])
    }

    @Test(.configured) func `T-230 Without authentication the list is empty`() async throws {
        application.enabler.checkPreauthorizedResources(["a"])
        await application.settle()
        #expect(self.delivered(application) == [""] && application.recorder.codes == ["N000"])
        #expect(service.count(of: self.path) == 0)
    }

    @Test(.signedIn) func `T-231 T-232 Too many resources report P100, and deliver an empty list`() async throws {
        application.enabler.checkPreauthorizedResources(["a", "b", "c", "d", "e"])
        await application.settle()
        #expect(application.recorder.statuses("P100").isEmpty)
        application.enabler.checkPreauthorizedResources(["f", "g", "h", "i", "j", "k"])
        await application.settle()
        #expect(application.recorder.statuses("P100").map { $0["level"] } == ["error"])
        #expect(self.delivered(application).last == "")
    }

    @Test(.signedIn) func `T-233 logout empties the cache, and so does a sign-in by another process`() async throws {
        _ = await application.enabler.preauthorizedResources(among: ["a"])
        let xml = try #require(await application.enabler.readToken?.xml)
        #expect(await application.enabler.preauthorizations["a", of: xml]?.authorized == true)
        _ = await application.enabler.signOut()
        #expect(await application.enabler.preauthorizations["a", of: xml] == nil)
        try await application.signIn(service)
        for count in 2...3 {
            _ = await application.enabler.preauthorizedResources(among: ["a"])
            #expect(service.count(of: self.path) == count)
            try await box.application(service).signIn(service, force: true)
        }
    }

    @Test(.signedIn) func `What was asked before a logout does not fill the cache after it`() async throws {
        let gate = Gate()
        let arrived = Signal<Void>()
        service.watch(self.path) { _ in
            arrived.send(())
            gate.wait()
        }
        async let response = application.enabler.preauthorize(PreauthorizeRequest(resources: ["a"]))
        _ = await arrived.next()
        let xml = try #require(await application.enabler.readToken?.xml)
        _ = await application.enabler.signOut()
        gate.open()
        _ = await response
        #expect(await application.enabler.preauthorizations["a", of: xml] == nil)
    }

    @Test(.signedIn) func `T-234 checkPreauthorizedResources never calls setToken`() async throws {
        application.enabler.checkPreauthorizedResources(["a"])
        application.enabler.checkPreauthorizedResources(["a"])
        application.enabler.checkPreauthorizedResources(["a"], cache: false)
        await application.settle()
        #expect(self.delivered(application) == ["a", "a", "a"])
        #expect(application.recorder.count("setToken") == 0)
        #expect(service.count(of: "/adobe-services/authorize") + service.count(of: "/adobe-services/short") == 0)
    }
}
