import Testing

@testable import ServerAPI

@Suite("The wait preference")
struct PreferWaitTests {
    @Test(arguments: [
        ("wait=1", 1), ("wait=30", 30), ("wait=55", 55), ("wait=56", 55), ("wait=3600", 55),
        ("wait=99999999999999999999999", 55), ("WAIT=10", 10), ("wait = 10", 10), (" wait=10 ", 10),
        ("wait=\"10\"", 10), ("wait=\"1\\0\"", 10), ("wait=10; foo=bar", 10), ("wait=10;foo;bar=\"a,b\"", 10),
        ("respond-async, wait=10", 10), ("wait=10, respond-async", 10), ("handling=\"a, wait=5\", wait=7", 7),
        ("wait=10, wait=20", 10), (",, wait=10 ,", 10), ("return=minimal;x=\"y\", wait=3", 3), ("wait=010", 10),
    ])
    func `is read as RFC 7240 writes it, and clamped`(value: String, seconds: Int) {
        #expect(PreferWait(value)?.seconds == seconds)
        #expect(PreferWait(value)?.applied == "wait=\(seconds)")
    }

    @Test(arguments: [
        "", "wait", "wait=", "wait=0", "wait=-1", "wait=+5", "wait=1.5", "wait=abc", "wait=1s", "waiting=10",
        "respond-async", "wait=\"10", "wait=10 20", "=10", "wait=10;;=", "wait==10", "wait=\"\"",
        "x=\"y, wait=10", "wait=١٠", "foo=bar baz, wait=10", ";wait=10",
    ])
    func `is not there when it is not a number of seconds, or the field is malformed`(value: String) {
        #expect(PreferWait(value) == nil)
    }

    @Test func `is not looked for in a field of absurd length`() {
        #expect(PreferWait("wait=10, " + String(repeating: "x", count: 2000)) == nil)
    }
}
