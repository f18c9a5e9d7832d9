/** The inside of a quoted string → its value: Python's escapes, unknown ones kept as written. */

const escapePattern = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|N\{([^}]*)\}|([\s\S]))/g

const single: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Null when an escape is cut short or out of range. `isBytes`: only the escapes that make one octet. */
export function unescapePython(body: string, isBytes = false): string | null {
  let isBroken = false
  const text = body.replace(escapePattern, (whole, octal, x, u, U, name, other) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & (isBytes ? 0xff : 0x1ff))
    if (x !== undefined) return String.fromCharCode(Number.parseInt(x, 16))
    if (isBytes && other === undefined) return whole
    const code = u ?? U
    if (code !== undefined) {
      const point = Number.parseInt(code, 16)
      if (point <= 0x10ffff) return String.fromCodePoint(point)
      isBroken = true
      return ''
    }
    // Names of characters would need the whole Unicode table.
    if (name !== undefined || other === 'x' || (!isBytes && (other === 'u' || other === 'U' || other === 'N'))) {
      isBroken = true
      return ''
    }
    return single[other] ?? whole
  })
  return isBroken || endsInBackslash(body) ? null : text
}

function endsInBackslash(body: string): boolean {
  return (/\\*$/.exec(body)?.[0].length ?? 0) % 2 === 1
}

/** A quoted token of a template, quotes included. */
export function readString(token: string): string | null {
  return unescapePython(token.slice(1, -1))
}
