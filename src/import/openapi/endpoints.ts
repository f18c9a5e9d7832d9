/** The operations of a document → those that give a list of records. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { isLikelyPagingName } from '../../proof/names/paging-names.ts'
import { streamName } from '../../from-request/address.ts'
import type { DescribedHeader, DescribedList, ListEndpoint } from '../description.ts'
import { sampleSchema } from '../sample-schema.ts'
import { findRecordList, type ListQuestion } from './find-list.ts'
import { saysLittle } from '../streams/stream-names.ts'
import { bodyOf, operationParameters, type Reading } from './parameters.ts'

export type FoundEndpoints = {
  readonly endpoints: readonly ListEndpoint[]
  readonly operations: readonly Members[]
  readonly itemPaths: readonly string[]
  readonly others: number
}

/** What the address of another server becomes; null where it is the API's own. */
export type ServerOf = (servers: unknown) => string | null

export function findEndpoints(root: Members, reading: Reading, serverOf: ServerOf): FoundEndpoints {
  const endpoints: ListEndpoint[] = []
  const operations: Members[] = []
  const itemPaths: string[] = []
  let others = 0
  const paths = isObject(root.paths) ? root.paths : {}
  const collections = new Set(Object.keys(paths).flatMap((path) => /^(.*)\/\{[^{}]*\}$/.exec(path)?.[1] ?? []))
  for (const [path, value] of Object.entries(paths)) {
    const item = reading.references.follow(value)
    if (item === null || !path.startsWith('/')) continue
    if (/\}[^/{}]*$/.test(path)) itemPaths.push(path)
    for (const method of methods) {
      const operation = reading.references.follow(item[method])
      if (operation === null) continue
      operations.push(operation)
      const endpoint = endpointOf({ path, method, item, operation, paths, collections }, reading, serverOf)
      if (endpoint === null) others++
      else endpoints.push(endpoint)
    }
  }
  return { endpoints, operations, itemPaths, others }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

type Operation = {
  readonly path: string
  readonly method: (typeof methods)[number]
  readonly item: Members
  readonly operation: Members
  readonly paths: Members
  /** Paths that another one has with a parameter after it. */
  readonly collections: ReadonlySet<string>
}

function endpointOf(given: Operation, reading: Reading, serverOf: ServerOf): ListEndpoint | null {
  const { path, method, item, operation, paths, collections } = given
  if (method !== 'get' && !(method === 'post' && isSearch(path, operation))) return null
  const parameters = operationParameters(item, operation, reading)
  const body = method === 'post' ? bodyOf(operation, reading) : null
  const all = [...parameters, ...(body?.parameters ?? [])]
  const hasPages = all.some(({ name, in: place }) => place !== 'path' && isLikelyPagingName(name))
  const { wanted, before } = pathWords(path)
  const question = { viewOf: reading.viewOf, wanted, before, isItem: itemOf(path, paths), hasPages }
  const response = goodResponse(operation, reading)
  if (response === null) return null
  const found = listOf(response, question, reading, collections.has(path.replace(/\/$/, '')))
  if (found === null) return null
  return {
    method: method === 'get' ? 'GET' : 'POST',
    path,
    baseUrl: serverOf(operation.servers ?? item.servers),
    parameters: all,
    recorded: null,
    bodyKind: body?.kind ?? null,
    list: found.list,
    responseHeaders: headersOf(response, reading),
    words: [operation.summary, operation.description, response.description]
      .filter((one) => typeof one === 'string')
      .join('\n')
      .slice(0, 4000),
    isDeprecated: operation.deprecated === true,
    notes: [...found.notes, ...cookieNote(item, operation)],
  }
}

/** A POST that only asks: it says so in its name. Others create or change something. */
function isSearch(path: string, operation: Members): boolean {
  const last = path.split(/[/:]/).findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
  const id = typeof operation.operationId === 'string' ? operation.operationId : ''
  if (/(create|update|delete|remove|send|upload|import|insert|upsert|cancel|add|set)[A-Z_-]/.test(id)) return false
  return (
    /(^|[._-])(search|query|list|find|filter|lookup|browse|scan)([._-]|$)|(?:^|[a-z])(Search|Query|List|Find|Filter)|^(search|query|list|find|filter|describe|get)[A-Z_]/.test(
      last,
    ) || /^(search|query|list|find|describe)/i.test(id.split(/[/.]/).at(-1) ?? '')
  )
}

/** `/orders/{id}` is an item; of a list where `/orders` can be requested. */
function itemOf(path: string, paths: Members): ListQuestion['isItem'] {
  if (!/\}[^/]*$/.test(path)) return false
  const before = paths[path.replace(/\/[^/]*$/, '')]
  return isObject(before) && before.get !== undefined ? 'of-list' : true
}

/** The last word of the path that says something, and those before it. */
export function pathWords(path: string): { readonly wanted: string; readonly before: readonly string[] } {
  const parts = (path.split('#')[0] ?? path).replaceAll(/\{[^{}]*\}/g, '').split(/[/:]/)
  const words = parts.filter((part) => part !== '').map((part) => streamName(`/${part}`))
  const last = words.findLastIndex((word) => !saysLittle.has(word))
  return { wanted: words.at(last) ?? '', before: words.slice(0, Math.max(0, last)) }
}

function goodResponse(operation: Members, { references }: Reading): Members | null {
  const { responses } = operation
  if (!isObject(responses)) return null
  const statuses = Object.keys(responses)
  const chosen =
    ['200', '2XX', '2xx', '206', '201', '203'].find((status) => statuses.includes(status)) ??
    statuses.find((status) => status.startsWith('2') && status !== '204') ??
    (statuses.includes('default') && statuses.length === 1 ? 'default' : undefined)
  return chosen === undefined ? null : references.follow(responses[chosen])
}

type FoundList = { readonly list: DescribedList; readonly notes: readonly string[] }

function listOf(response: Members, question: ListQuestion, reading: Reading, isCollection: boolean): FoundList | null {
  const media = jsonMedia(response.content)
  if (media === 'other') return null
  const described = media === null ? undefined : media.schema
  const found = described === undefined ? null : findRecordList(described, question)
  if (found !== null) return { list: found, notes: [] }
  const view = reading.viewOf(described)
  const saysNothing =
    described === undefined || (view.type === null && view.properties.size === 0) || isEmptyObject(view)
  if (!saysNothing) return null
  const sample = media === null ? undefined : sampleOf(media, reading)
  if (sample !== undefined) {
    const list = findRecordList(sampleSchema(sample), question)
    return list === null ? null : { list, notes: ['The fields are those of an example in the description.'] }
  }
  // Without a schema only the path speaks: a list of items, or pages of something.
  if (question.isItem !== false || !(isCollection || question.hasPages)) return null
  const list: DescribedList = { path: [], schema: () => null, fields: [], envelope: [] }
  return { list, notes: ['The description does not say what the response contains: the record path is a guess.'] }
}

function isEmptyObject({ type, properties, values }: ReturnType<Reading['viewOf']>): boolean {
  return type === 'object' && properties.size === 0 && values === undefined
}

/** The JSON of a response; null where the response does not say its type, `other` where it is not JSON. */
function jsonMedia(content: unknown): Members | 'other' | null {
  if (!isObject(content)) return null
  const types = Object.keys(content)
  if (types.length === 0) return null
  const type = types.find((one) => /^application\/json/i.test(one)) ?? types.find((one) => /json|^\*\/\*$/i.test(one))
  const media = type === undefined ? undefined : content[type]
  return isObject(media) ? media : type === undefined ? 'other' : null
}

function sampleOf(media: Members, { references }: Reading): unknown {
  if (media.example !== undefined) return parsed(media.example)
  for (const one of isObject(media.examples) ? Object.values(media.examples) : []) {
    const example = references.follow(one)
    if (example?.value !== undefined) return parsed(example.value)
  }
  return undefined
}

/** Examples are often written as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function headersOf(response: Members, { references }: Reading): DescribedHeader[] {
  if (!isObject(response.headers)) return []
  return Object.entries(response.headers).map(([name, value]) => {
    const words = references.follow(value)?.description
    return { name, words: typeof words === 'string' ? words : '' }
  })
}

function cookieNote(item: Members, operation: Members): string[] {
  const lists = [item.parameters, operation.parameters].filter(isList)
  const needed = lists.flat().find((one) => isObject(one) && one.in === 'cookie' && one.required === true)
  return isObject(needed) ? [`It needs the cookie \`${String(needed.name)}\`, which is not sent.`] : []
}
