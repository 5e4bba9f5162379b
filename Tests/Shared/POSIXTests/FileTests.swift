import Glibc
import POSIX
import TestSupport
import Testing

@Suite("A private file")
struct PrivateFileTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test func `is made with mode 0600, and nothing is left beside it`() throws {
        try PrivateFile(self.folder.file("a")).create(Array("one".utf8))
        #expect(try self.folder.read("a") == "one")
        #expect(try FileStatus(of: self.folder.file("a")).modeText == "0600")
        #expect(try Folder.names(in: self.folder.path) == ["a"])
    }

    @Test func `is not made over another`() throws {
        try self.folder.write("old", to: "a")
        let error = #expect(throws: SystemError.self) { try PrivateFile(self.folder.file("a")).create([1]) }
        #expect(error == .exists)
        #expect(try self.folder.read("a") == "old")
        #expect(try Folder.names(in: self.folder.path) == ["a"])
    }

    @Test func `replaces another, whatever its mode and whatever a crash left behind`() throws {
        try self.folder.write("old", to: "a")
        try self.folder.write("half", to: "a.new")
        try PrivateFile(self.folder.file("a")).replace(Array("new".utf8))
        #expect(try self.folder.read("a") == "new")
        #expect(try FileStatus(of: self.folder.file("a")).modeText == "0600")
        #expect(try Folder.names(in: self.folder.path) == ["a"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `that root writes in another user's folder is that user's, and so is its lock`() throws {
        let theirs = self.folder.file("theirs")
        try Folder.makePrivate(theirs)
        try #require(unsafe chown(theirs, 1234, 4321) == 0)
        try PrivateFile("\(theirs)/a").create([1])
        try PrivateFile("\(theirs)/a").replace([2])
        _ = try FileLock("\(theirs)/a.lock", patience: .zero)
        for name in ["a", "a.lock"] {
            let status = try FileStatus(of: "\(theirs)/\(name)")
            #expect(status.owner == 1234 && status.group == 4321 && status.modeText == "0600")
        }
        // A name of a file that stands elsewhere, too, gives nobody that file.
        try self.folder.write("mine", to: "mine")
        try #require(unsafe link(self.folder.file("mine"), "\(theirs)/b.lock") == 0)
        _ = try FileLock("\(theirs)/b.lock", patience: .zero)
        #expect(try FileStatus(of: self.folder.file("mine")).owner == 0)
    }

    @Test func `moves only to a name that is free`() throws {
        try self.folder.write("1", to: "a")
        try self.folder.write("2", to: "b")
        let file = PrivateFile(self.folder.file("a"))
        #expect(#expect(throws: SystemError.self) { try file.move(to: self.folder.file("b")) } == .exists)
        try file.move(to: self.folder.file("c"))
        #expect(try Folder.names(in: self.folder.path).sorted() == ["b", "c"])
        #expect(try self.folder.read("c") == "1")
    }

    @Test func `that cannot be written leaves nothing`() throws {
        try Folder.makePrivate(self.folder.file("a"))
        #expect(throws: SystemError.self) { try PrivateFile(self.folder.file("a")).replace([1]) }
        #expect(try Folder.names(in: self.folder.path) == ["a"])
        let error = #expect(throws: SystemError.self) { try PrivateFile(self.folder.file("no/a")).create([1]) }
        #expect(error == .notFound)
    }
}

@Suite("Files and folders")
struct FileTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try TemporaryFolder() }

    @Test func `A file is read up to a limit, the limit included`() throws {
        let file = try self.folder.write("12345", to: "a")
        #expect(try WholeFile.read(file, limit: 5) == Array("12345".utf8))
        #expect(#expect(throws: SystemError.self) { try WholeFile.read(file, limit: 4) } == .tooLarge)
        #expect(#expect(throws: SystemError.self) { try WholeFile.read(file + "x", limit: 4) } == .notFound)
        #expect(throws: SystemError.self) { try WholeFile.read(self.folder.path, limit: 4) }
    }

    @Test func `A folder is made with those above it, all of mode 0700, and stays as it is when it is there`() throws {
        try Folder.makePrivate(self.folder.file("a/b/c"))
        for path in ["a", "a/b", "a/b/c"] {
            #expect(try FileStatus(of: self.folder.file(path)).modeText == "0700")
        }
        try #require(unsafe chmod(self.folder.file("a"), 0o755) == 0)
        try Folder.makePrivate(self.folder.file("a"))
        #expect(try FileStatus(of: self.folder.file("a")).modeText == "0755")
    }

    @Test func `A folder is not made where a file is in the way`() throws {
        let file = try self.folder.write("x", to: "a")
        #expect(throws: SystemError.self) { try Folder.makePrivate(file) }
        #expect(throws: SystemError.self) { try Folder.makePrivate(file + "/b") }
    }

    @Test("The folder of a path is what the path says", arguments: [("a", "."), ("/a", "/"), ("/a/b", "/a")])
    func containing(path: String, expected: String) { #expect(Folder.containing(path) == expected) }

    @Test("A symbolic link is looked at itself")
    func link() throws {
        let file = try self.folder.write("x", to: "a")
        try #require(unsafe symlink(file, self.folder.file("b")) == 0)
        #expect(try FileStatus(of: file).isRegularFile)
        #expect(try !FileStatus(of: self.folder.file("b")).isRegularFile)
        #expect(try FileStatus(of: self.folder.path).isFolder)
    }

    @Test func `A lock keeps others out until it goes out of scope`() throws {
        let path = self.folder.file("lock")
        do {
            let lock = try FileLock(path, patience: .zero)
            let error = #expect(throws: SystemError.self) { _ = try FileLock(path, patience: .milliseconds(20)) }
            #expect(error == .locked)
            _ = consume lock
        }
        _ = try FileLock(path, patience: .zero)
        #expect(try FileStatus(of: path).modeText == "0600")
    }

    @Test func `A pipe gives back what was put in, and then nothing`() throws {
        let pipe = try Pipe()
        #expect(pipe.take() == nil)
        pipe.put(7)
        pipe.put(8)
        #expect(pipe.take() == 7)
        #expect(pipe.take() == 8)
        #expect(pipe.take() == nil)
    }
}
