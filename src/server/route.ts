/** One operation of the API. The same schemas check and describe its input. */
import { z } from 'zod'
import { ConnectorError, type ErrorCode } from '../std/errors.ts'
import { Float, parseJson } from '../std/json.ts'
import { valueAt } from '../std/values/get-at.ts'
import { withValueAt } from '../std/values/set-at.ts'
import type { ProblemStatus } from '../site/problem.ts'
import { withoutSecretsOf } from './request-secrets.ts'
import { messageOf } from '../std/text/message-of.ts'
import { nearMiss } from '../std/text/near-miss.ts'

/** The groups that a reader of the description sees, in order. */
export const tags = {
  service: 'About this server.',
  connectors: 'Connectors as folders on disk.',
  building: 'Operations for writing a connector.',
  secrets: 'Test configs that are kept, encrypted, on this machine.',
  syncs: 'Syncs, their runs, and queries.',
  schedules: 'Syncs of connections at set times.',
  manifest: 'The manifest server of the Airbyte ecosystem, wire-compatible.',
}

type Tag = keyof typeof tags

export type HttpMethod = 'get' | 'post' | 'put' | 'delete'

type Described = {
  readonly method: HttpMethod
  /** As OpenAPI writes it: `/v1/connectors/{name}`. */
  readonly path: `/${string}`
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  readonly responses: Readonly<Record<number, ResponseShape>>
  /** Statuses of problems that are specific to this operation. */
  readonly problems?: readonly ProblemStatus[]
  /** Needs no token. */
  readonly isOpen?: boolean
}

export type ResponseShape = {
  readonly description: string
  /** JSON unless `type` is given; absent for a response without a body. */
  readonly body?: z.ZodType
  readonly type?: string
  /** Instead of both, where there are several types: the body of each. */
  readonly content?: Readonly<Record<string, z.ZodType>>
  readonly headers?: Readonly<Record<string, string>>
}

type Taken<Path, Query, Body> = { readonly path?: Path; readonly query?: Query; readonly body?: Body }

/** The checked input of a request. */
type Input<Path extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = {
  readonly path: z.output<Path>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
  readonly headers: Headers
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export type Route = Described & {
  readonly takes: Taken<z.ZodType, z.ZodType, z.ZodType>
  readonly respond: (request: Request, path: Readonly<Record<string, string>>) => Promise<Response>
}

/**
 * @example route({ method: 'get', path: '/health', …, handle: () => json({ status: 'ok' }) })
 */
export function route<Path extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>({
  handle,
  takes = {},
  onInvalidBody,
  ...described
}: Described & {
  readonly takes?: Taken<Path, Query, Body>
  /** The response to an invalid body, where clients do not expect a problem. */
  readonly onInvalidBody?: (issues: readonly z.core.$ZodIssue[]) => Response
  readonly handle: (input: Input<Path, Query, Body>) => Response | Promise<Response>
}): Route {
  return {
    ...described,
    takes,
    async respond(request, path) {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      const body = takes.body === undefined ? undefined : await bodyOf(request)
      const refused =
        onInvalidBody === undefined || takes.body === undefined ? undefined : parsed(takes.body, body).error
      if (onInvalidBody !== undefined && refused !== undefined) return onInvalidBody(refused.issues)
      const input = {
        path: checked(takes.path, path, 'address'),
        query: checked(takes.query, query, 'query'),
        body: checked(takes.body, body, 'body'),
        headers: request.headers,
        signal: request.signal,
      } as Input<Path, Query, Body>
      try {
        return await handle(input)
      } catch (error) {
        throw withoutSecretsOf(body, error)
      }
    },
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  // A form of another site can send text, but not JSON, without a preflight request.
  if (!/^application\/(?:json|[\w.+-]+\+json)\b/i.test(type)) {
    throw new ConnectorError(
      'server/not-json',
      `The body is ${type === '' ? 'without a content type' : type}, not JSON.`,
    )
  }
  const text = await readBodyText(request)
  if (text.trim() === '') throw new ConnectorError('server/invalid-request', 'The body is empty; it must be JSON.')
  try {
    return parseJson(text).value
  } catch (cause) {
    throw new ConnectorError('server/invalid-request', `The body is not JSON: ${messageOf(cause)}.`, { cause })
  }
}

function checked(schema: z.ZodType | undefined, given: unknown, part: string): unknown {
  if (schema === undefined) return undefined
  const { success, data, error } = parsed(schema, given)
  if (success) return data
  const code: ErrorCode = 'server/invalid-request'
  const faults = error.issues.map(({ path, message }) => {
    const name = path.map(String).join('.')
    return name === '' ? message : `\`${name}\`: ${message}`
  })
  throw new ConnectorError(code, `The ${part} is invalid. ${faults.slice(0, 5).join('; ')}.`)
}

/** JSON Schema takes `49.0` as an integer. The parser keeps it apart from `49`, which matters in configs and manifests only. */
function parsed(schema: z.ZodType, given: unknown): z.ZodSafeParseResult<unknown> {
  const parse = (value: unknown) => schema.safeParse(value, { error: sayUnknownKeys })
  const first = parse(given)
  if (first.success) return first
  const places = first.error.issues
    .flatMap((issue) => placesOf(issue))
    .filter((path) => valueAt(given, path) instanceof Float)
  if (places.length === 0) return first
  return parse(places.reduce((value, path) => withValueAt(value, path, Number(valueAt(value, path))), given))
}

/** Of schemas that refuse them. Zod does not say which key was meant. */
const sayUnknownKeys: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'unrecognized_keys') return undefined
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : []
  const words = issue.keys.slice(0, 5).map((key) => {
    const near = nearMiss(key, known)
    return `Unknown key \`${key}\`${near === undefined ? '' : ` (did you mean \`${near}\`?)`}`
  })
  return words.join('; ')
}

type Place = readonly (string | number)[]

/** Where an issue is; of a union also where its options differ. */
function placesOf(issue: z.core.$ZodIssue, above: Place = []): Place[] {
  const here = [...above, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))]
  const inner = issue.code === 'invalid_union' ? issue.errors.flat().flatMap((one) => placesOf(one, here)) : []
  return [here, ...inner]
}

/** The largest public manifest has 1.2 MB; config and state add to it. */
const maxBytes = 16 * 1024 * 1024

/** Throws `server/too-large`. */
export async function readBodyText(request: Request, limit = maxBytes): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limit) throw tooLarge(limit)
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // The header may be wrong, and chunked bodies have none.
  for await (const part of request.body ?? []) {
    bytes += part.byteLength
    if (bytes > limit) throw tooLarge(limit)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

function tooLarge(limit: number): ConnectorError {
  return new ConnectorError('server/too-large', `The body is larger than ${Math.floor(limit / 1024 / 1024)} MB.`)
}
