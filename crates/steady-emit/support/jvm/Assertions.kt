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

/** The value equals the one found elsewhere. */
infix fun Found.shouldBeSameAs(other: Found) = isSameAs(other)

/** The value is the sum of the numbers found elsewhere, but for rounding. */
fun Found.shouldBeSumOf(vararg terms: Found) = isSumOf(*terms)

/** The value is the product of the numbers found elsewhere, but for rounding. */
fun Found.shouldBeProductOf(vararg factors: Found) = isProductOf(*factors)

/** The value is how many items the array found elsewhere has. */
infix fun Found.shouldBeSizeOf(array: Found) = isSizeOf(array)

/** An array of these items is there, in any order. */
infix fun Found.shouldHaveInAnyOrder(items: Any) = hasInAnyOrder(items)

/** The value is one of these. */
infix fun Found.shouldBeOneOf(values: Any) = isOneOf(values)

/** The value is text that the pattern describes whole. */
fun Found.shouldMatch(pattern: String, what: String) = matches(pattern, what)

/** The value is a JSON web token whose header and claims have at least these fields. */
fun Found.shouldBeJwt(header: Any, claims: Any) = isJwt(header, claims)

/** The value is a time of this format, near the one the response was given at. */
infix fun Found.shouldBeRecent(format: String) = isRecent(format)

/** The value is this number or a larger one. */
infix fun Found.shouldBeAtLeast(least: Number) = isAtLeast(least)

/** The value is this number or a smaller one. */
infix fun Found.shouldBeAtMost(most: Number) = isAtMost(most)

/** The value is a number between these, which it may equal. */
fun Found.shouldBeBetween(least: Number, most: Number) = isBetween(least, most)
