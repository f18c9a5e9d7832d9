/** What can only be seen across components: stream names, and page tokens that no request sends. */
import type { Problem } from '../../std/errors.ts'
import { isComponent } from './components.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import type { Places } from './places.ts'
import { didYouMean, listed, problem } from './problem.ts'
import { isNode, isObject, type TreeObject } from './tree.ts'

/** How many names are compared with misspelt ones, all together. */
const maxCompared = 100_000

/** Every problem between the streams of this source. */
export function checkStreams(root: TreeObject, places: Places): Problem[] {
  const members = streamsIn(root.streams)
  const streams = members.flatMap(({ stream, isConditional }): NamedStream[] =>
    typeof stream.name === 'string' ? [{ name: stream.name, stream, isConditional }] : [],
  )
  return [
    ...members.flatMap(({ stream }) => unnamed(stream, places)),
    ...duplicates(streams, places),
    ...unknownCheckStreams(root, streams, places),
    ...unusedTokens(streams, places),
    ...negativePageSizes(streams, places),
  ]
}

type SourceStream = { stream: TreeObject; isConditional: boolean }

type NamedStream = SourceStream & { name: string }

function streamsIn(members: unknown, isConditional = false): SourceStream[] {
  if (!Array.isArray(members)) return []
  return members
    .filter(isObject)
    .flatMap((stream): SourceStream[] =>
      isComponent(stream, 'ConditionalStreams') ? streamsIn(stream.streams, true) : [{ stream, isConditional }],
    )
}

/** Only the streams of the source need a name, from `$parameters` or their own: a parent or one half of another needs none. */
function unnamed(stream: TreeObject, places: Places): Problem[] {
  const { name } = stream
  if (!isComponent(stream, 'DeclarativeStream') || (name !== undefined && name !== '')) return []
  const [message, at] =
    name === undefined
      ? ['DeclarativeStream has no `name`.', places.at(stream)]
      : ['The `name` of a stream is empty.', places.at(stream, 'name')]
  return [
    problem('manifest/missing-field', 'error', message, at, 'Give the stream a `name`: its table is named after it.'),
  ]
}

function duplicates(streams: readonly NamedStream[], places: Places): Problem[] {
  const seen = new Set<string>()
  return streams.flatMap(({ name, stream, isConditional }) => {
    // Conditions may exclude each other, and a template may give different names.
    if (isConditional || name.includes('{{')) return []
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    return [
      problem('manifest/duplicate-stream', 'error', `Two streams are named \`${name}\`.`, places.at(stream, 'name')),
    ]
  })
}

function unknownCheckStreams(root: TreeObject, streams: readonly NamedStream[], places: Places): Problem[] {
  const { check } = root
  // A warning: reading works without it, and a source may add streams in code.
  // Streams made from a template get their names when the source runs.
  if (!isComponent(check, 'CheckStream') || !Array.isArray(check.stream_names) || root.dynamic_streams !== undefined)
    return []
  const stream_names: readonly unknown[] = check.stream_names
  const names = streams.map(({ name }) => name)
  const known = new Set(names)
  let compared = 0
  if (names.some((name) => name.includes('{{'))) return []
  return stream_names.flatMap((name, index) => {
    if (typeof name !== 'string' || name.includes('{{') || known.has(name)) return []
    // Each guess compares all names: of thousands that are wrong the first ones get one.
    compared += names.length
    const near = compared > maxCompared ? undefined : nearMiss(name, names, 3)
    const other = names.length === 0 ? 'Give a stream this name.' : `Choose one of the streams: ${listed(names)}.`
    const hint = didYouMean(near, other)
    const message = `\`check\` names the stream \`${name}\`, which the manifest does not have.`
    return [problem('manifest/unknown-stream', 'warning', message, places.at(stream_names, index), hint)]
  })
}

function unusedTokens(streams: readonly NamedStream[], places: Places): Problem[] {
  type User = { paginator: object; names: string[] }
  const users = new Map<string, User>()
  for (const { name, stream } of streams) {
    const retriever = isComponent(stream, 'DeclarativeStream') ? stream.retriever : null
    if (!isComponent(retriever, 'SimpleRetriever')) continue
    const { paginator, requester } = retriever
    if (!isComponent(paginator, 'DefaultPaginator') || (paginator.page_token_option ?? null) !== null) continue
    if (!isComponent(requester, 'HttpRequester') || mentions(requester, 'next_page_token')) continue
    const { pointer } = places.at(paginator)
    const user: User = users.get(pointer) ?? { paginator, names: [] }
    user.names.push(name)
    users.set(pointer, user)
  }
  return Array.from(users.values(), ({ paginator, names }) => {
    const message = `No request sends the page token of ${listed(names, 4, 'and')}: every request gets the first page.`
    return problem('manifest/unused-page-token', 'warning', message, places.at(paginator))
  })
}

/** A warning: Airbyte sends it as it is, and some APIs mean all records by -1. */
function negativePageSizes(streams: readonly NamedStream[], places: Places): Problem[] {
  const found = new Map<string, Problem>()
  for (const { stream } of streams) {
    const paginator = isObject(stream.retriever) ? stream.retriever.paginator : null
    const strategy = isComponent(paginator, 'DefaultPaginator') ? paginator.pagination_strategy : null
    if (!isObject(strategy) || strategy.type === 'CustomPaginationStrategy') continue
    if (typeof strategy.page_size !== 'number' || strategy.page_size >= 0) continue
    const at = places.at(strategy, 'page_size')
    const message = `\`page_size\` is ${strategy.page_size}: only an empty page ends the read.`
    const hint = 'Set it to the number of records that a full page has.'
    found.set(at.pointer, problem('manifest/invalid-value', 'warning', message, at, hint))
  }
  return [...found.values()]
}

/** Whether a string anywhere inside mentions this name. */
function mentions(value: unknown, name: string, seen = new Set<unknown>()): boolean {
  if (typeof value === 'string') return value.includes(name)
  if (!isNode(value) || seen.has(value)) return false
  seen.add(value)
  return Object.values(value).some((member) => mentions(member, name, seen))
}
