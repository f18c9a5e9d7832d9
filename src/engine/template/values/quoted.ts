/** Text or bytes → the literal Python's `repr()` writes for them. */

/** Characters that `repr` escapes: separators, controls, unassigned and private ones, lone surrogates. */
const unprintable = /[\p{Zl}\p{Zp}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]|(?! )\p{Zs}/gu
const needsCare = /[^\x20-\x7e]|['\\]/

export function pythonQuoted(text: string): string {
  if (!needsCare.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replace(unprintable, escapeCharacter)
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

function escapeCharacter(character: string): string {
  switch (character) {
    case '\n':
      return '\\n'
    case '\r':
      return '\\r'
    case '\t':
      return '\\t'
  }
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}

export function quotedBytes(octets: Uint8Array): string {
  const text = String.fromCharCode(...octets.subarray(0, 100_000))
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replace(/[^\x20-\x7e]/g, (character) => escapeCharacter(character))
  return `b${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}
