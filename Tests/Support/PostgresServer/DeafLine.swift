import FoundationEssentials
import Glibc
import TestSupport

/// A way to a PostgreSQL on which every notification is lost, and all else arrives. It ends with the process.
package struct DeafLine: Sendable {
    /// Where libpq finds it: the `host` of a connection string.
    package let folder: String
    /// Ends with the process, not before: it is kept for that.
    private let process: ChildProcess

    /// Passes on both ways byte for byte, but takes NotificationResponse out of what the server says (PostgreSQL, 55.7):
    /// a type of one byte, and a length that counts itself and the rest.
    private static let script = """
        import asyncio, os, sys
        server, folder, tests = sys.argv[1], sys.argv[2], int(sys.argv[3])
        lost = 0

        def note():
            with open(folder + "/lost.new", "w") as file: file.write(str(lost))
            os.rename(folder + "/lost.new", folder + "/lost")

        async def ask(reader, writer):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()

        async def answer(reader, writer):
            global lost
            while True:
                head = await reader.readexactly(5)
                rest = await reader.readexactly(int.from_bytes(head[1:], "big") - 4)
                if head[:1] == b"A":
                    lost += 1
                    note()
                    continue
                writer.write(head + rest)
                await writer.drain()

        async def serve(reader, writer):
            theirs = await asyncio.open_unix_connection(server)
            ways = [asyncio.ensure_future(ask(reader, theirs[1])), asyncio.ensure_future(answer(theirs[0], writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways: way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in [writer, theirs[1]]: end.close()

        async def main():
            note()
            await asyncio.start_unix_server(serve, folder + "/.s.PGSQL.5432", backlog=256)
            print("ready", flush=True)
            while os.getppid() == tests: await asyncio.sleep(0.5)

        asyncio.run(main())
        """

    /// - Parameters:
    ///   - server: the folder of the server's socket.
    ///   - folder: one for the line itself.
    init(to server: String, in folder: String) async throws {
        self.folder = folder
        self.process = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.script, "\(server)/.s.PGSQL.5432", folder, String(getpid())])
        for await line in self.process.outputLines where line == "ready" { return }
        let (_, _, talk) = await self.process.run()
        throw PostgresServer.Failure(output: talk)
    }

    /// How many notifications were lost up to now, of all connections.
    package func lost() throws -> Int {
        let text = try Data(contentsOf: URL(filePath: "\(self.folder)/lost"))
        return Int(String(decoding: text, as: UTF8.self)) ?? 0
    }
}
