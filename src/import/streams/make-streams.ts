/** The endpoints of a description → streams: named, with keys, parents, parameters and a proposed pagination. */
import { isInputName } from '../../engine/secrets/credential-names.ts'
import { templateString } from '../../proof/detection/paginator.ts'
import { streamName } from '../../from-request/address.ts'
import { templateSafe } from '../../from-request/take-secrets.ts'
import { isObject } from '../../std/values/objects.ts'
import type {
  ApiDescription,
  DescribedAuth,
  DescribedInput,
  DescribedParameter,
  ListEndpoint,
  NamedText,
} from '../description.ts'
import { configTemplate, fillBraces, inputNameOf, titleOfInput } from '../input-names.ts'
import { type PagingProposal, proposePaging } from '../pagination/propose.ts'
import { type ImportedStream, type ParentKey, type StreamParent, withoutNames } from './import-stream.ts'
import { incrementalCandidates } from './incremental.ts'
import { nameStreams } from './stream-names.ts'
import { fieldFor, describedKey, isUniqueEverywhere } from './primary-key.ts'

export function makeStreams(description: ApiDescription): ImportedStream[] {
  const { endpoints, itemPaths } = description
  const names = nameStreams(endpoints)
  // What gives a list itself is no item of one.
  const listPaths = new Set(endpoints.map(({ path }) => path))
  const parameters = itemParameters(itemPaths.filter((path) => !listPaths.has(path)))
  const keys = endpoints.map((endpoint) => keyOf(endpoint, parameters))
  const lists = new Map<string, number>()
  for (const [index, { method, path }] of endpoints.entries()) {
    if (method === 'GET' && !lists.has(plainPath(path))) lists.set(plainPath(path), index)
  }
  const parentOf = (index: number) => findParent(index, endpoints, names, keys, lists)
  return endpoints.map((endpoint, index) =>
    streamOf(endpoint, names[index] ?? '', keys[index] ?? null, chainOf(index, parentOf), description),
  )
}

/** `/Orders/` and `/orders` are one list; names of parameters do not matter. */
function plainPath(path: string): string {
  return path
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replace(/\/$/, '')
    .toLowerCase()
}

/** `/orders` → `order_id` of `/orders/{order_id}`. */
function itemParameters(itemPaths: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of itemPaths) {
    const [, list, parameter] = /^(.*)\/\{([^{}]*)\}[^{}/]*$/.exec(path) ?? []
    if (list !== undefined && parameter !== undefined && !found.has(list)) found.set(list, parameter)
  }
  return found
}

function keyOf({ path, list }: ListEndpoint, parameters: ReadonlyMap<string, string>): string | null {
  const itemParameter = parameters.get(path.replace(/\/$/, '')) ?? null
  return describedKey({ fields: list.fields, itemParameter, wanted: streamName(path.replaceAll(/\{[^{}]*\}/g, '')) })
}

type Parent = StreamParent & {
  readonly index: number
  readonly parameter: string
  readonly isSure: boolean
  /** What its values are. */
  readonly isText: boolean
  readonly isUnique: boolean
}

/** The list that gives the values of the last parameter of the path. */
function findParent(
  index: number,
  endpoints: readonly ListEndpoint[],
  names: readonly string[],
  keys: readonly (string | null)[],
  lists: ReadonlyMap<string, number>,
): Parent | null {
  const endpoint = endpoints[index]
  if (endpoint === undefined) return null
  const path = endpoint.path.split('#')[0] ?? ''
  const [, before = '', parameter = ''] = /^(.*)\/\{([^{}]*)\}[^{}]*$/.exec(path) ?? []
  // Two parameters of one name cannot be told apart.
  const parameters = path.match(/\{[^{}]*\}/g) ?? []
  if (parameter === '' || new Set(parameters).size < parameters.length) return null
  const found = lists.get(plainPath(before))
  const list = found === undefined || found === index ? undefined : endpoints[found]
  if (found === undefined || list === undefined || list.baseUrl !== endpoint.baseUrl) return null
  // A list that a value of the user's own is needed for is no list of all.
  const source = fieldFor(parameter, list.list.fields, keys[found] ?? null)
  if (source === null || list.list.path.includes('*')) return null
  const { fields } = list.list
  return {
    stream: names[found] ?? '',
    key: source.field,
    field: inputNameOf(parameter),
    index: found,
    parameter,
    isSure: source.isSure,
    isText: fields.some(({ path: [name], type }) => name === source.field && type === 'string'),
    isUnique: isUniqueEverywhere(source.field, fields),
  }
}

/** The nearest parent first. */
function chainOf(index: number, parentOf: (index: number) => Parent | null): Parent[] {
  const chain: Parent[] = []
  for (let at = parentOf(index); at !== null && chain.length < 4; at = parentOf(at.index)) {
    if (chain.some((one) => one.index === at?.index)) break
    chain.push(at)
  }
  return chain
}

function streamOf(
  endpoint: ListEndpoint,
  name: string,
  key: string | null,
  chain: readonly Parent[],
  { inputs: shared, auth }: ApiDescription,
): ImportedStream {
  const { inputs, need } = openInputs(shared)
  const paging = proposePaging(endpoint, key)
  const path = fillBraces(
    endpoint.path.replace(/#.*/s, ''),
    (parameter) => partitionTemplate(parameter, chain) ?? need(parameter, isInputName(parameter)),
  )
  const [parent = null] = chain
  return {
    name,
    endpoint,
    primaryKey: key,
    parentKeys: key === null ? [] : parentKeysOf(key, endpoint, chain),
    parent,
    path: path === '' ? '/' : path,
    ...valuesSent(endpoint, paging, auth, need),
    recordPath: endpoint.list.path,
    schema: endpoint.list.schema,
    paging,
    pagingNote: unconfirmedNote(paging),
    incremental: incrementalCandidates(endpoint.parameters, endpoint.list.fields),
    inputs,
    notes: notesOf(endpoint, parent),
  }
}

/** The template of an input, which is created where there is none. */
type Need = (name: string, isSecret: boolean) => string

/** Inputs of authenticators that are no secrets. */
const signsIn = new Set(['username', 'client_id'])

/** The inputs of one stream, next to those that all streams share. */
function openInputs(shared: readonly DescribedInput[]): { readonly inputs: DescribedInput[]; readonly need: Need } {
  const inputs: DescribedInput[] = []
  const need: Need = (wished, isSecret) => {
    const base = inputNameOf(wished)
    // The same word of two endpoints is one input; what signs in keeps its own.
    const known = shared.find((one) => one.name === base)
    const input = known !== undefined && (known.isSecret !== isSecret || signsIn.has(base)) ? `${base}_value` : base
    if (!inputs.some((one) => one.name === input) && !shared.some((one) => one.name === input))
      inputs.push({ name: input, title: titleOfInput(input), isSecret, isRequired: true })
    return configTemplate(input)
  }
  return { inputs, need }
}

/** Everything that each request sends: what was recorded, or what is fixed, and the page size. */
function valuesSent(
  endpoint: ListEndpoint,
  { sends, size, templated }: PagingProposal,
  auth: DescribedAuth,
  need: Need,
): Pick<ImportedStream, 'query' | 'headers' | 'body'> {
  const { recorded, method, bodyKind } = endpoint
  const paged = size === null ? sends : [...sends, size.parameter.name]
  const fixed = fixedOf(endpoint, [...paged, ...namesSent(auth)], need)
  const sized = (place: DescribedParameter['in']) =>
    size !== null && size.parameter.in === place ? [[size.parameter.name, size.value] as const] : []
  const sizedText = (place: DescribedParameter['in']) =>
    sized(place).map(([name, value]): NamedText => [name, String(value)])
  return {
    query: [
      ...(recorded?.query.filter(([name]) => !paged.includes(name)) ?? []),
      ...fixed.query,
      ...sizedText('query'),
      ...(templated === null ? [] : [templated]),
      ...actionOf(endpoint),
    ],
    headers: [...(recorded?.headers ?? []), ...fixed.headers, ...sizedText('header')],
    body:
      withoutNames(recorded?.body ?? null, sends) ??
      (method === 'POST' && bodyKind !== null ? bodyWith([...fixed.body, ...sized('body')], bodyKind) : null),
  }
}

function notesOf({ notes, isDeprecated }: ListEndpoint, parent: Parent | null): string[] {
  return [
    ...notes,
    ...(isDeprecated ? ['The description calls it deprecated.'] : []),
    ...(parent === null || parent.isSure
      ? []
      : [`\`${parent.key}\` of ${parent.stream} is taken for \`${parent.parameter}\` of the path.`]),
  ]
}

/** Headers and parameters that the authentication sends: descriptions often list them with each operation, too. */
function namesSent({ authenticator, headers, query }: DescribedAuth): string[] {
  const option = authenticator?.inject_into
  const own = isObject(option) && typeof option.field_name === 'string' ? [option.field_name] : []
  return [...own, ...headers.map(([name]) => name), ...query.map(([name]) => name)]
}

function unconfirmedNote({ says, because }: PagingProposal): string {
  return `Pagination not confirmed: ${says} (${because}).`
}

/** What an id that may be counted anew for each parent needs next to it; nothing where it is unique everywhere. */
function parentKeysOf(key: string, { list: { fields } }: ListEndpoint, chain: readonly Parent[]): ParentKey[] {
  if (isUniqueEverywhere(key, fields)) return []
  const unique = chain.findIndex(({ isUnique }) => isUnique)
  const taken = new Set(fields.map(({ path }) => path[0] ?? ''))
  const found: ParentKey[] = []
  for (const level of unique === -1 ? chain : chain.slice(0, unique + 1)) {
    const field = freeName(level, taken)
    taken.add(field)
    found.unshift({ field, template: partitionTemplate(level.parameter, chain) ?? '', isText: level.isText })
  }
  return found
}

/** A field of the record stays what it is: a `user_id` of `/users/{user_id}/followers` may be the follower's. */
function freeName({ field, stream }: Parent, taken: ReadonlySet<string>): string {
  let name = taken.has(field) ? `${stream}_${field}` : field
  while (taken.has(name)) name = `parent_${name}`
  return name
}

function partitionTemplate(parameter: string, chain: readonly Parent[]): string | null {
  const depth = chain.findIndex((one) => one.parameter === parameter)
  const level = depth === -1 ? undefined : chain[depth]
  if (level === undefined) return null
  return `{{ stream_partition${`['parent_slice']`.repeat(depth)}[${templateString(level.field)}] }}`
}

/** `/#Action=ListUsers`: what tells operations of one address apart is a parameter of the request. */
function actionOf({ path, parameters, method }: ListEndpoint): NamedText[] {
  const [, name = '', value = ''] = /^[^#]*#(Action)=(\w+)/.exec(path) ?? []
  return name === '' || method !== 'GET' || parameters.some((one) => one.name === name) ? [] : [[name, value]]
}

function bodyWith(fields: readonly (readonly [string, unknown])[], kind: 'json' | 'form'): ImportedStream['body'] {
  if (fields.length === 0) return null
  return {
    key: kind === 'form' ? 'request_body_data' : 'request_body_json',
    value: Object.fromEntries(kind === 'form' ? fields.map(([name, value]) => [name, String(value)]) : fields),
  }
}

/** What has to be sent with every request: defaults, single choices, and an input for each value that is required. */
function fixedOf({ parameters, recorded }: ListEndpoint, paged: readonly string[], need: Need) {
  const query: NamedText[] = []
  const headers: NamedText[] = []
  const body: (readonly [string, unknown])[] = []
  if (recorded !== null) return { query, headers, body }
  for (const parameter of parameters) {
    const { name, in: place } = parameter
    if (place === 'path' || paged.some((one) => one.toLowerCase() === name.toLowerCase())) continue
    if (place === 'header' && /^(accept|content-type|authorization|user-agent|cookie)$/i.test(name)) continue
    const value = valueOf(parameter, need)
    if (value === null) continue
    if (place === 'query') query.push([name, String(value)])
    else if (place === 'header') headers.push([name, String(value)])
    else body.push([name, value])
  }
  return { query, headers, body }
}

function valueOf(parameter: DescribedParameter, need: Need): string | number | boolean | null {
  const { name, isRequired, fallback, choices, in: place } = parameter
  if (isInputName(name)) return isRequired ? need(name, true) : null
  if (isRequired && choices.length === 1) return templateSafe(choices[0] ?? '')
  // An optional header is for those who know it; a default of a page size is sent by the proposal.
  if (fallback !== null && fallback !== '' && (isRequired || place !== 'header'))
    return typeof fallback === 'string' ? templateSafe(fallback) : fallback
  return isRequired ? need(name, false) : null
}
