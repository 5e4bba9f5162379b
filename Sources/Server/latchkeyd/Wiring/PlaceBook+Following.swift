import Observability
import Places

extension PlaceBook {
    /// Uses the file at `path` from now on, or none; a file that cannot be used leaves the places as they are.
    func follow(_ path: String?, logger: Logger) {
        let logger = logger.named("places")
        do throws(PlaceFault) {
            guard try self.follow(path), let path else { return }
            logger.notice("places of addresses were read", [.file: .text(path)])
        } catch {
            logger.error(
                "a file of places cannot be used, and pages show what they showed before",
                [.file: .text(path ?? ""), .detail: .text("\(error)")])
        }
    }
}
