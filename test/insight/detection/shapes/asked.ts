/** A request to a shape → the values in it that the API knows, or why it is refused. */
import type { AskedRequest } from '../../../helpers/serve-api.ts'
import { hashOf } from './records.ts'
import type { Paging, Placed, Shape } from './shape.ts'

export type Refusal = { readonly status: number; readonly says: string }

/** Null where it was not given. */
export type AskedValues = { readonly token: string | null; readonly size: string | null }

export function readAsked(shape: Shape, asked: AskedRequest): AskedValues | Refusal {
  const { key, paging } = shape
  if (key !== null && asked.headers[key.header.toLowerCase()] !== key.value) {
    return { status: 401, says: 'Credentials are missing or wrong.' }
  }
  const body = bodyOf(asked)
  if (body === null) return { status: 400, says: 'The body is not readable.' }
  const stranger = strangerIn(shape, asked, body)
  if (stranger !== null) return { status: 400, says: refusalOf(shape, stranger) }
  if (paging === null) return { token: null, size: null }
  const valueAt = (placed: Placed | null) => (placed === null ? null : valueOf(placed, asked, body))
  const token = paging.token.counts === 'path' ? null : valueAt(paging.token.placed)
  if (shape.next?.isSigned === true && token !== null && asked.query.get('sig') !== signatureOf(asked.query)) {
    return { status: 403, says: 'The signature does not match.' }
  }
  return { token, size: valueAt(paging.size.placed) }
}

/** Of everything else in the query, so that nothing can be added or changed. */
export function signatureOf(query: URLSearchParams): string {
  const rest = [...query].filter(([name]) => name !== 'sig').map(([name, value]) => `${name}=${value}`)
  return hashOf(rest.toSorted().join('&')).slice(0, 16)
}

type Body = Readonly<Record<string, unknown>>

function bodyOf({ body, headers }: AskedRequest): Body | null {
  if (body === '') return {}
  if (!(headers['content-type'] ?? '').includes('json')) return Object.fromEntries(new URLSearchParams(body))
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === 'object' && json !== null ? (json as Body) : null
  } catch {
    return null
  }
}

function valueOf({ into, path }: Placed, { query, headers }: AskedRequest, body: Body): string | null {
  const name = path[0] as string
  switch (into) {
    case 'request_parameter':
      return query.get(name)
    case 'header': {
      const value = headers[name.toLowerCase()]
      return typeof value === 'string' ? value : null
    }
    default: {
      let value: unknown = body
      for (const step of path) value = typeof value === 'object' && value !== null ? (value as Body)[step] : undefined
      if (value === undefined || value === null) return null
      return typeof value === 'string' ? value : JSON.stringify(value)
    }
  }
}

function strangerIn(shape: Shape, { query }: AskedRequest, body: Body): string | null {
  if (shape.unknown === 'ignored') return null
  const known = new Set([...knownNames(shape), 'sig'])
  const names = [...query.keys(), ...Object.keys(body)]
  return names.find((name) => !known.has(name)) ?? null
}

function knownNames({ given, paging }: Shape): string[] {
  const placed = paging === null ? [] : placedIn(paging)
  const names = [given.query, given.json ?? {}, given.form ?? {}].flatMap((values) => Object.keys(values))
  return [...new Set([...names, ...placed.map(({ path }) => path[0] as string)])]
}

/** Every parameter that turns pages. */
export function placedIn({ token, size }: Paging): Placed[] {
  return [...(token.counts === 'path' ? [] : [token.placed]), ...(size.placed === null ? [] : [size.placed])]
}

function refusalOf(shape: Shape, stranger: string): string {
  const says = `Unknown parameter "${stranger}".`
  const names = knownNames(shape)
  return shape.unknown === 'listed' && names.length > 0 ? `${says} Allowed parameters: ${names.join(', ')}.` : says
}
