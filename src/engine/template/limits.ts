/** The limits a template runs under; each is far above what 531 public manifests need. */

/** Characters of one template. The longest in the wild has under 5,000. */
export const maxSourceLength = 100_000
/** Brackets within brackets, blocks within blocks. */
export const maxNesting = 100
/** Links of one chain: `a + b + …`, `a.b.c…`, `x | f | g …`. Each is a level of the JavaScript stack. */
export const maxChain = 500
/** Parts of one template after parsing. */
export const maxNodes = 20_000
/** Steps of one evaluation: calls, loop rounds, items compared, characters copied by the hundred. */
export const maxSteps = 100_000
/** Characters of any text a template makes. */
export const maxTextLength = 10_000_000
/** Members of any list a template makes by repetition or joining. */
export const maxListLength = 1_000_000
/** Bits of any integer a template makes. */
export const maxIntegerBits = 100_000
/** Digits that Python turns from text into an integer and back; longer ones stay text. */
export const maxIntegerDigits = 4300
/** Levels of containers within containers that are printed or compared. */
export const maxValueDepth = 200
/** Compiled templates and patterns kept for the next use. */
export const maxCachedTemplates = 5_000
export const maxCachedPatterns = 200
