import Testing

@testable import AccessEnabler

extension Lane {
    /// The names of the requestors, or resources, of the calls as they come.
    fileprivate mutating func all(_ gate: AccessEnabler.Gate) -> [String] {
        var names: [String] = []
        while let call = self.next(gate) {
            switch call {
            case .configure(let name, _, _): names.append(name)
            case .authorize(let request): names.append(request.resource)
            default: names.append("?")
            }
        }
        return names
    }
}

private func configure(_ name: String) -> ApplicationCall { .configure(requestorID: name, serviceProviders: [], nil) }
private func authorize(_ name: String) -> ApplicationCall { .authorize(AuthorizationArguments(resource: name)) }

@Suite("The lane of calls")
struct LaneTests {
    @Test func `lets a configuration overtake no call that was made before it with the gate open`() {
        var lane = Lane()
        for call in [authorize("a"), authorize("b"), configure("X"), authorize("c"), configure("Y"), authorize("d")] {
            lane.add(call, .open)
        }
        let calls = lane.all(.open)
        #expect(calls == ["a", "b", "X", "Y", "c", "d"])
    }

    @Test func `keeps calls back while there is no configuration, and gives them out after the last one`() {
        var lane = Lane()
        lane.add(authorize("a"), .closed)
        let beginsEarly = lane.begin(.closed)
        #expect(!beginsEarly)
        let early = lane.all(.closed)
        #expect(early == [])
        lane.add(configure("X"), .closed)
        let begins = lane.begin(.closed)
        #expect(begins)
        _ = lane.next(.closed)
        lane.add(configure("Y"), .closed)
        lane.add(authorize("b"), .closed)
        let calls = lane.all(.open)
        #expect(calls == ["Y", "a", "b"] && !lane.isBusy)
    }

    @Test func `has one order for all calls once the last configuration is over`() {
        var lane = Lane()
        lane.add(configure("X"), .closed)
        lane.add(authorize("a"), .closed)
        lane.add(authorize("b"), .closed)
        _ = lane.next(.closed)
        _ = lane.next(.open)
        lane.add(configure("Y"), .open)
        let calls = lane.all(.open)
        #expect(calls == ["b", "Y"])
    }

    @Test func `gives a call back whose caller awaits it no longer, and never a logout`() {
        var lane = Lane()
        lane.add(authorize("a"), .open, from: 7)
        lane.add(.logout(nil), .open, from: 8)
        let found = [9, 8, 7].map { lane.withdraw($0) != nil }
        let calls = lane.all(.open)
        #expect(found == [false, false, true] && calls == ["?"])
    }
}
