/** One request as the answering server got it, and one answer. */

export type Asked = {
  readonly method: string
  /** As the connector wrote it, its own host included. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type Answer = {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON unless it is text or bytes. */
  readonly body: unknown
}

/** Equal requests have equal keys. */
export function keyOf({ method, url, body }: Asked): string {
  return `${method} ${url.href} ${body}`
}

/** Headers that say something about what is asked for, not about the connection. */
const transport = new Set([
  'host',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
])

export function headerTexts({ headers }: Asked): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (transport.has(name) ? [] : [value ?? ''].flat()))
}

/** Every value the request carries, decoded. */
export function valuesIn(asked: Asked): string[] {
  return [
    ...asked.url.pathname.split('/').map(decoded),
    ...[...asked.url.searchParams].map(([, value]) => value),
    ...headerTexts(asked),
    ...bodyValues(asked),
  ]
}

function bodyValues({ body }: Asked): string[] {
  if (body === '') return []
  try {
    return leavesOf(JSON.parse(body))
  } catch {
    return [...new URLSearchParams(body)].flat()
  }
}

function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(leavesOf)
}

/** All of it as one text, for looking something up in it. */
export function textOf(asked: Asked): string {
  return [
    asked.method,
    decoded(asked.url.href.replaceAll('+', ' ')),
    ...headerTexts(asked),
    decodedJson(asked.body),
  ].join('\n')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function decodedJson(body: string): string {
  try {
    return `${body}\n${leavesOf(JSON.parse(body)).join('\n')}`
  } catch {
    return decoded(body.replaceAll('+', ' '))
  }
}
