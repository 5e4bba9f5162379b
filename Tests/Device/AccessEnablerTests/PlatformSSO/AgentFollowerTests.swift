import Synchronization
import Testing

@testable import AccessEnabler

@Suite("Following the account of the box's agent")
struct AgentFollowerTests {
    @Test func `an agent that is not there is asked after a pause that doubles, up to ten minutes`() async {
        let pauses = Mutex<[Duration]>([])
        let follower = AgentFollower(AccessEnabler.AgentPlatformSSO(socketPath: "/nonexistent/agent.sock")) { pause in
            let count = pauses.withLock {
                $0.append(pause)
                return $0.count
            }
            if count == 7 { throw CancellationError() }
        }
        #expect(await follower.next() == nil)
        #expect(pauses.withLock { $0 } == [30, 60, 120, 240, 480, 600, 600].map { .seconds($0) })
    }
}
