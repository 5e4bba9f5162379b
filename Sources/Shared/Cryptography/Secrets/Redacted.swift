/// Tells nothing of its content, in print or to a debugger.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "<redacted>" }
    package var debugDescription: String { self.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
