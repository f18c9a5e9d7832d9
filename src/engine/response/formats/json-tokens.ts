/** Where the pieces of a JSON text begin and end. The patterns are used with `lastIndex`. */

/** What matters inside an object or a list that is taken whole. */
export const structural = /["[\]{}]/g
export const notSpace = /[^ \t\n\r]/g
export const scalarEnd = /[ \t\n\r,:[\]{}"]/g
export const isScalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

/** The quote that ends the string which `from` lies in, or -1. */
export function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1
  while (text[before] === '\\') before--
  return (index - before) % 2 === 0
}
