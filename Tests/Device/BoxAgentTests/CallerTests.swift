import Glibc
import POSIX
import TestSupport
import Testing

@testable import latchkey

@Suite("A caller")
struct CallerTests {
    private func name(_ groups: String, _ sandbox: CallerEvidence.Sandbox = .none, user: String? = "kodi") -> String? {
        CallerEvidence(user: 1001, userName: user, controlGroups: groups, sandbox: sandbox).application?.name
    }

    @Test(arguments: [
        ("0::/system.slice/kodi.service\n", "unit:kodi.service"),
        ("0::/system.slice/system-kodi.slice/kodi@1.service\n", "unit:kodi@1.service"),
        ("9:name=systemd:/system.slice/kodi.service\n1:cpu:/x\n0::/\n", "unit:kodi.service"),
        // Delegated: what is below is in the hands of the unit itself.
        ("0::/system.slice/docker.service/system.slice/kodi.service\n", "unit:docker.service"),
        ("0::/machine.slice/machine-box.scope\n", "unit:machine-box.scope"),
    ])
    func `is the unit of the system that it runs in`(groups: String, expected: String) {
        #expect(self.name(groups) == expected)
    }

    @Test(arguments: [
        "0::/user.slice/user-1001.slice/user@1001.service/app.slice/kodi.service\n",
        "0::/user.slice/user-1001.slice/session-3.scope\n", "0::/init.scope\n", "0::/\n", "",
        "0::/docker/5f/kodi.service\n", "not a group", "0::/system.slice/dev-sda.mount\n",
        "0::/system.slice/ko di.service/..\u{1}\n",
    ])
    func `is its user where users choose the names, and outside of units`(groups: String) {
        let name = self.name(groups)
        #expect(name == "user:kodi" || (groups.contains("ko di") && name == nil))
        #expect(self.name("0::/\n", user: nil) == "user:1001")
    }

    @Test func `is its sandbox, whatever unit it runs in, and nothing else where the agent may not look`() {
        let info = "[Instance]\nname=no\n[Application]\nname=tv.kodi.Kodi\nruntime=x\n[Context]\nname=no\n"
        #expect(self.name("0::/system.slice/kodi.service\n", .flatpak(info)) == "sandbox:tv.kodi.Kodi")
        #expect(self.name("0::/\n", .flatpak("[Application]\n")) == nil)
        #expect(self.name("0::/\n", .flatpak("[Application]\nname=a b\n")) == nil)
        let scope = "0::/user.slice/user-1.slice/user@1.service/app.slice/app-flatpak-tv.kodi.Kodi-7.scope\n"
        #expect(self.name(scope, .hidden) == nil)
        #expect(self.name(scope, .none) == "user:kodi")
        #expect(self.name("0::/user.slice/user-1.slice/user@1.service/x\n", .hidden) == "user:kodi")
    }

    @Test func `has a name of one of three kinds, of bounded length`() {
        for good in ["unit:kodi.service", "user:kodi", "sandbox:tv.kodi.Kodi", "unit:a\\x2db@1:2.service"] {
            #expect(Application(good)?.name == good)
        }
        for bad in [
            "", "kodi", "unit:", "root:x", "unit:a b", "unit:a/b", "unit:\u{E9}",
            "user:" + String(repeating: "a", count: 256),
        ] {
            #expect(Application(bad) == nil)
        }
    }

    @Test func `is looked up in /proc, and is nobody once its number belongs to another process`() throws {
        let folder = try TemporaryFolder()
        func write(start: Int, state: String = "S") throws {
            let zeros = Array(repeating: "0", count: 18).joined(separator: " ")
            try folder.write("77 (a) b (c) \(state) \(zeros) \(start) 0 0\n", to: "77/stat")
        }
        unsafe mkdir(folder.file("77"), 0o700)
        unsafe mkdir(folder.file("77/root"), 0o700)
        try write(start: 500)
        try folder.write("0::/system.slice/kodi.service\n", to: "77/cgroup")
        let callers = Callers(procFolder: folder.path, ownUser: 990)
        let peer = UnixPeer(process: 77, user: 1001, started: 500)
        #expect(callers.caller(of: peer)?.application.name == "unit:kodi.service")
        #expect(callers.caller(of: peer)?.isOperator == false)
        try folder.write("[Application]\nname=tv.kodi.Kodi\n", to: "77/root/.flatpak-info")
        #expect(callers.caller(of: peer)?.application.name == "sandbox:tv.kodi.Kodi")
        // A sandbox keeps its application from deciding for others, whoever started it.
        let ownSandbox = UnixPeer(process: 77, user: 990, started: 500)
        #expect(callers.caller(of: ownSandbox)?.isOperator == false)
        // The number was given to a later process.
        try write(start: 501)
        #expect(callers.caller(of: peer) == nil)
        try write(start: 500, state: "Z")
        #expect(callers.caller(of: peer) == nil)
        // Gone before it was looked at, and with it what sandbox it was in; that decides nothing for root alone.
        #expect(callers.caller(of: UnixPeer(process: 77, user: 1001, started: nil)) == nil)
        #expect(callers.caller(of: UnixPeer(process: 77, user: 990, started: nil)) == nil)
        #expect(callers.caller(of: UnixPeer(process: 0, user: 0, started: nil))?.isOperator == true)
    }

    @Test func `who lays a pipe in the agent's way is not waited for`() throws {
        let folder = try TemporaryFolder()
        unsafe mkfifo(folder.file(".flatpak-info"), 0o600)
        #expect(throws: SystemError.notFound) { try WholeFile.readForeign(folder.file(".flatpak-info"), limit: 10) }
        unsafe symlink("/etc/passwd", folder.file("link"))
        #expect(throws: SystemError.self) { try WholeFile.readForeign(folder.file("link"), limit: 1 << 20) }
    }
}
