import Clientless
import Entitlement
import StoreRecords

extension CodeColumn {
    /// The name of one more column, which this store alone has: see ``key(of:)``.
    static let deviceKey = "device_key"

    /// Takes ``insertionValues(of:)``.
    static let insertion = """
        INSERT INTO codes (\(names), \(deviceKey)) VALUES (\(placeholders), ?\(allCases.count + 1))
            ON CONFLICT (code) DO NOTHING
        """

    static func insertionValues(of record: RegistrationRecord) -> [SQLValue] {
        self.values(of: record) + [.integer(self.key(of: record.context.device))]
    }

    /// The first eight bytes of a device's hash. Devices that share them are told apart by the whole hash.
    static func key(of device: DeviceHash) -> Int64 {
        Int64(bitPattern: device.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// What replaces the raw data of a code that is over or completed. The column of the device ID keeps a form that is read back.
    static let withoutRawData = """
        device_id = lower(hex(device)), box_address = '', box_user_agent = NULL, box_information = NULL
        """
}
