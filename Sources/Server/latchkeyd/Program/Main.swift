import CommandLineTool
import FoundationEssentials
import Glibc

@main
enum Main {
    static func main() async {
        // Whatever this program makes holds secrets or stands beside them.
        umask(0o077)
        let context = CommandContext(console: Console(), environment: ProcessInfo.processInfo.environment)
        let code = await ServerProgram.run(Array(CommandLine.arguments.dropFirst()), context)
        exit(code.rawValue)
    }
}
