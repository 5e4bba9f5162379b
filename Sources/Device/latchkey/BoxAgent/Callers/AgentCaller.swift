import POSIX

/// The process that makes a call, as far as it is known.
struct AgentCaller: Hashable, Sendable {
    let application: Application
    let user: Int
    /// Root, or the agent's own user, outside of a sandbox: it may always, and decides for the others.
    let isOperator: Bool
}

/// Finds out who is at the other end of a connection.
struct Callers: Sendable {
    /// The folder in which the kernel tells of processes; another one in tests.
    var procFolder = "/proc"
    var ownUser = ThisProcess.effectiveUser

    /// - Returns: `nil` when the process has ended, cannot be seen from here, or cannot be told from another.
    func caller(of peer: UnixPeer) -> AgentCaller? {
        let isOperator = peer.user == 0 || peer.user == self.ownUser
        let evidence = peer.whileRunning(procFolder: self.procFolder) { self.evidence(of: peer) }
        if let application = evidence??.application {
            return AgentCaller(
                application: application, user: peer.user, isOperator: isOperator && !application.isSandboxed)
        }
        // The kernel vouches for the user even of a process that is gone, though not for what sandbox it was in.
        guard peer.user == 0, let application = Application("user:\(UnixUser.name(of: peer.user) ?? String(peer.user))")
        else { return nil }
        return AgentCaller(application: application, user: peer.user, isOperator: true)
    }

    private func evidence(of peer: UnixPeer) -> CallerEvidence? {
        let folder = "\(self.procFolder)/\(peer.process)"
        guard let groups = try? WholeFile.read("\(folder)/cgroup", limit: 16 << 10) else { return nil }
        return CallerEvidence(
            user: peer.user, userName: UnixUser.name(of: peer.user),
            controlGroups: String(decoding: groups, as: UTF8.self), sandbox: Self.sandbox(in: "\(folder)/root"))
    }

    private static func sandbox(in root: String) -> CallerEvidence.Sandbox {
        do throws(SystemError) {
            let info = try WholeFile.readForeign("\(root)/.flatpak-info", limit: 64 << 10)
            return .flatpak(String(decoding: info, as: UTF8.self))
        } catch {
            return error == .notFound ? .none : .hidden
        }
    }
}
