/** A name as APIs write it → its letters alone: `@odata.nextLink`, `next_link` and `nextLink` have much in common then. */

/** Empty for names that are too long to mean anything known. */
export function plainLetters(name: string): string {
  if (name.length > longest) return ''
  const known = spelled.get(name)
  if (known !== undefined) return known
  const letters = name.replace(/[^A-Za-z]/g, '').toLowerCase()
  if (spelled.size < mostSpelled) spelled.set(name, letters)
  return letters
}

/** The same names come again on every page; a hostile response must not make us keep more. */
const spelled = new Map<string, string>()
const mostSpelled = 1_000
const longest = 40
