/** `/secure/<scheme>/…` → the path after it, once the sample credential is sent. */
import { type LabRequest, Refusal } from './exchange.ts'
import { oneOf } from './parameters.ts'

/** Not secret: these open nothing but the lab. */
const samples = { token: 'leaf-token', user: 'leaf', password: 'turn', key: 'leaf-key' } as const

type Scheme = { challenge: string; wanted: string; isShown(request: LabRequest): boolean }

export const schemes: Readonly<Record<string, Scheme>> = {
  bearer: {
    challenge: 'Bearer realm="lab"',
    wanted: `Authorization: Bearer ${samples.token}`,
    isShown: ({ headers }) => credentialOf(headers, 'bearer') === samples.token,
  },
  basic: {
    challenge: 'Basic realm="lab", charset="UTF-8"',
    wanted: `Authorization: Basic, user ${samples.user}, password ${samples.password}`,
    isShown: ({ headers }) =>
      Buffer.from(credentialOf(headers, 'basic') ?? '', 'base64').toString() === `${samples.user}:${samples.password}`,
  },
  key: {
    challenge: 'ApiKey realm="lab", header="X-Api-Key", query="api_key"',
    wanted: `X-Api-Key: ${samples.key}, or the query api_key=${samples.key}`,
    isShown: ({ headers, query }) => (headers['x-api-key'] ?? oneOf(query, 'api_key')) === samples.key,
  },
}

/** The path to answer. Refuses with 401 unless the credential of the scheme is the sample. */
export function unlockedPath(request: LabRequest): string {
  const [, name, path] = /^\/secure\/(\w+)(\/.*)$/.exec(request.path) ?? []
  const scheme = name !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined
  if (scheme === undefined || path === undefined) return request.path
  if (scheme.isShown(request)) return path
  throw new Refusal(401, `Send ${scheme.wanted}.`, { headers: { 'WWW-Authenticate': scheme.challenge } })
}

function credentialOf(headers: LabRequest['headers'], scheme: string): string | undefined {
  const [, word, credential] = /^(\S+) +(\S+)$/.exec(headers['authorization'] ?? '') ?? []
  return word?.toLowerCase() === scheme ? credential : undefined
}
