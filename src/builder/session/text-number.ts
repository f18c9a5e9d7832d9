/** Strings → numbers, so that query keys do not contain the whole manifest. */
const mostKnown = 8

let known: readonly { readonly text: string; readonly number: number }[] = []
let last = 0

/** The same for the same text, as long as it is one of the latest; never the same for another. */
export function numberOfText(text: string): number {
  const found = known.find((one) => one.text === text)
  if (found !== undefined) return found.number
  last++
  known = [{ text, number: last }, ...known].slice(0, mostKnown)
  return last
}
