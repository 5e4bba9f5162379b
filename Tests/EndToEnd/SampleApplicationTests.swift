import RealPrograms
import TestSupport
import Testing

@Suite("A sample application and the real server", .pair, .serialized, .timeLimit(.minutes(5)))
struct SampleApplicationTests {
    @Test("An application picks a provider, signs in over the second screen, and gets a media token that verifies")
    func wholeLife() async throws {
        let state = pair.folder.file("state")
        let first = try RunningSample(pair.demo, .own, state: state)
        #expect(try await first.event("requestorComplete")["status"] == "1")
        let dialog = try await first.event("providerDialog")
        #expect(dialog["providers"]?.text?.split(separator: ",").contains(DemoFolder.provider[...]) == true)
        try await first.signIn(as: pair.demo.viewer)
        #expect(try await first.event("authenticationStatus")["status"] == "1")
        let token = try await first.event("token")
        #expect(token["resource"] == .text(DemoFolder.channel))
        try await pair.verify(token["token"])
        #expect(await first.end() == .exited(0))

        // The next run finds the sign-in in its store: no picker, no code.
        let second = try RunningSample(pair.demo, .own, state: state)
        try await second.event("requestorComplete")
        #expect(try await second.event("authenticationStatus")["status"] == "1")
        let again = try await second.event("token")
        #expect(again["resource"] == .text(DemoFolder.channel))
        try await pair.verify(again["token"])
        #expect(await second.end() == .exited(0))
    }

    @Test("An application whose provider is not in the list goes back from the picker, and signs nobody in")
    func back() async throws {
        let sample = try RunningSample(
            pair.demo, .own, state: pair.folder.file("state"), ["--provider=NoSuchProvider"])
        try await sample.event("providerDialog")
        let status = try await sample.event("authenticationStatus")
        #expect(status["status"] == "0" && status["code"] == "Provider not Selected Error")
        #expect(await sample.end() == .exited(2))
    }
}
