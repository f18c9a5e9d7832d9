/** Status, fields and body → an answer whose bytes are ready to be sent any number of times. */

export type Fields = Readonly<Record<string, string>>

export type Answer = {
  readonly status: number
  /** Name, value, name, value: the form Node writes fastest. */
  readonly headers: string[]
  readonly body: Buffer
}

/** Everything here is public and free of credentials, so every page of every origin may read it. */
const everywhere: Fields = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'PAYMENT-REQUIRED, Link, ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

export function answer(status: number, fields: Fields, body: string | Buffer): Answer {
  const bytes = Buffer.from(body)
  return { status, headers: flat({ ...fields, 'Content-Length': String(bytes.length) }), body: bytes }
}

/** 204 and 304: they may not name a length. */
export function emptyAnswer(status: number, fields: Fields): Answer {
  return { status, headers: flat(fields), body: Buffer.alloc(0) }
}

function flat(fields: Fields): string[] {
  return Object.entries({ ...everywhere, ...fields }).flat()
}
