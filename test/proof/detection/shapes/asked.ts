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
  return withQuirk(shape, { token, size: valueAt(paging.size.placed) }, asked, body)
}

function withQuirk(shape: Shape, values: AskedValues, asked: AskedRequest, body: Body): AskedValues | Refusal {
  const { quirk } = shape
  const { token, size } = values
  switch (quirk?.kind) {
    case 'needs-token':
      return token === null && (quirk.when === 'always' || size !== null) ? { status: 400, says: quirk.says } : values
    case 'tokens': {
      const isWhole = Object.entries(quirk.further).every(([name, value]) => asked.query.get(name) === value)
      if (token === null || isWhole) return values
      return quirk.isStrict ? { status: 400, says: 'The continuation is not whole.' } : { ...values, token: null }
    }
    case 'variables': {
      const given = Object.entries((body.variables ?? {}) as Body)
      const missing = quirk.required.find((name) => !given.some(([one, value]) => one === name && value !== null))
      if (missing !== undefined)
        return { status: 200, says: `Variable "$${missing}" of required type "Int!" was not provided.` }
      // What is not declared is ignored, as most servers do.
      return values
    }
    default:
      return values
  }
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
  if (shape.unknown === 'column') return `column ${shape.path.split('/').at(-1)}.${stranger} does not exist`
  if (shape.unknown === 'vague') return 'failed to parse filter'
  const says = `Unknown parameter "${stranger}".`
  const names = knownNames(shape)
  return shape.unknown === 'listed' && names.length > 0 ? `${says} Allowed parameters: ${names.join(', ')}.` : says
}
