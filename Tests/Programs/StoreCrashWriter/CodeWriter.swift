import Clientless
import Entitlement
import StoreFixtures
import TestSupport

/// Creates and completes codes without end, from many tasks at once.
struct CodeWriter {
    let seed: UInt64

    func run(on store: any Store) async {
        say("ready")
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask { await Self.work(SeededGenerator(seed: self.seed &* 100 &+ UInt64(worker)), store) }
            }
            group.addTask { await OperationWriter(seed: self.seed).work(store) }
        }
    }

    /// Prints the code when it is kept, and again, with the AuthN record, when it is completed.
    private static func work(_ generator: SeededGenerator, _ store: any Store) async {
        var generator = generator
        do throws(StoreError) {
            while true {
                let code = RegistrationCodeText.random(using: &generator)
                let device = Int.random(in: 0..<1_000_000_000, using: &generator)
                var record = Fixture.record(code, device: device)
                guard case .inserted = try await store.insert(record, limitPerDevice: 10, now: Fixture.now) else {
                    continue
                }
                say("kept \(code.text)")
                guard Bool.random(using: &generator) else { continue }
                let authentication = Fixture.authentication(device, record.context, code: code)
                record.life = RegistrationCode(
                    generated: record.life.generated, expires: record.life.expires, state: .completed(authentication.id)
                )
                do throws(StoreError) {
                    guard try await store.replace(record, attempt: nil, creating: authentication) else { continue }
                    say("completed \(code.text) \(device)")
                } catch {
                    // A device that was drawn a second time has its AuthN record already: nothing was promised.
                    guard error.code == .conflict else { throw error }
                }
            }
        } catch {
            say("\(error.code)")
        }
    }
}
