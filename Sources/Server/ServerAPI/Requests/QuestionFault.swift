/// Why a question of an operator or their program cannot be answered.
struct QuestionFault: Error {
    let sentence: String
}
