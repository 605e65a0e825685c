package steady

/** The value equals this one; numbers by value, so 1 is 1.0, but true is not 1. */
infix fun Found.shouldBe(expected: Any?) = `is`(expected)

/** An array of this length is there. */
infix fun Found.shouldHaveSize(size: Int) = hasSize(size)

/** A value of this JSON type is there; every integer is a number. */
infix fun Found.shouldBeA(type: String) = isA(type)

/** A value is there, null included. */
fun Found.shouldBePresent() = isPresent()

/** Nothing is there; at the body's root: no body. */
fun Found.shouldBeAbsent() = isAbsent()
