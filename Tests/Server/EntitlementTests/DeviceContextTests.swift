import Entitlement
import Testing

@Suite("A device's context")
struct DeviceContextTests {
    private let device = DeviceHash(bytes: Array(repeating: 7, count: 32))

    private func context(_ appID: String?, _ deviceUser: String?) -> DeviceContext {
        DeviceContext(device: self.device, appID: appID, deviceUser: deviceUser)
    }

    @Test func `compares its texts byte for byte, as the store does`() {
        // One letter with an accent, and a letter followed by an accent: equal as Swift strings.
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(self.context(composed, nil) != self.context(decomposed, nil))
        #expect(self.context(nil, composed) != self.context(nil, decomposed))
        #expect(!self.context(composed, nil).admits(self.context(decomposed, nil)))
        #expect(!self.context(nil, composed).admits(self.context(nil, decomposed)))
        #expect(self.context(composed, composed) == self.context(composed, composed))
        #expect(Set([self.context(composed, nil), self.context(decomposed, nil)]).count == 2)
    }

    @Test func `that leaves something out admits anything in its place, and an empty text leaves it out`() {
        let stored = self.context("app", "user")
        #expect(self.context(nil, nil).admits(stored) && self.context("", "user").admits(stored))
        #expect(!self.context("other", nil).admits(stored) && !self.context("app", "other").admits(stored))
        #expect(!stored.admits(self.context(nil, nil)))
        #expect(self.context("", "") == self.context(nil, nil))
    }
}
