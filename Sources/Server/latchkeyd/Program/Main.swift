import CommandLineTool
import Cryptography
import FoundationEssentials
import POSIX

@main
enum Main {
    static func main() async {
        // All files of this program hold secrets or stand beside them.
        ThisProcess.keepNewFilesPrivate()
        ThisProcess.keepMemoryPrivate()
        Libcrypto.stayUntilEnd()
        let context = CommandContext(console: Console(), environment: ProcessInfo.processInfo.environment)
        let code = await ServerProgram.run(Array(CommandLine.arguments.dropFirst()), context)
        ThisProcess.exit(code.rawValue)
    }
}
