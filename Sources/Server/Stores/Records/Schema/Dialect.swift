import Entitlement

/// The differences between the engines' SQL.
package struct Dialect: Sendable {
    /// In front of the name of a table that is made; statements on rows name the schema in every store.
    let prefix: String
    let text: String
    let integer: String
    let blob: String
    /// The column that counts the rows of a table without a key.
    let sequence: String
    let endingOfSequence: String
    let endingOfKey: String
    /// Whether an index may hold a column that it is not in the order of.
    let includesColumns: Bool
    /// Behind a question for a row: it does not go before the end of the transaction.
    let keyShare: String
    /// Behind a question for rows: those that another transaction changes are passed over.
    let skipLocked: String
    /// The column `device` in lower-case hex.
    let hexOfDevice: String

    package init(
        prefix: String, text: String, integer: String, blob: String, sequence: String, endingOfSequence: String = "",
        endingOfKey: String = "", includesColumns: Bool = false, keyShare: String = "",
        skipLocked: String = "", hexOfDevice: String
    ) {
        self.prefix = prefix
        self.text = text
        self.integer = integer
        self.blob = blob
        self.sequence = sequence
        self.endingOfSequence = endingOfSequence
        self.endingOfKey = endingOfKey
        self.includesColumns = includesColumns
        self.keyShare = keyShare
        self.skipLocked = skipLocked
        self.hexOfDevice = hexOfDevice
    }

    func name(of type: ColumnType) -> String {
        let name =
            switch type.kind {
            case .text: self.text
            case .integer: self.integer
            case .blob: self.blob
            }
        return type.isOptional ? name : "\(name) NOT NULL"
    }
}
