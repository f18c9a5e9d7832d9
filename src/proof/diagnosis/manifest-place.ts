/** A stream's name → where the manifest has its parts, and what is written there. */
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import type { Path } from '../../document/value-path.ts'
import { streamsIn } from '../../document/stream-paths.ts'
import { isObject, type Members } from '../../std/values/objects.ts'
import type { ManifestEdit } from './diagnosis.ts'

export type ManifestPlace = {
  readonly retriever: Path
  readonly paginator: Path
  readonly strategy: Path
  readonly requester: Path
  readonly selector: Path
  /** The value at a path, references followed; undefined where there is none. */
  readonly at: (path: Path) => unknown
  /** The paginator as it is written; empty where there is none. */
  readonly written: { readonly paginator: Members; readonly strategy: Members; readonly requester: Members }
}

/** The reason for people instead, where the manifest has no part for this stream alone. */
export function findStreamPlace(text: string, name: string): ManifestPlace | { readonly whyNot: string } {
  const root = openDocument(text).value
  const streams = streamsIn(root)
  const found = streams.find((stream) => stream.name === name)
  if (found === undefined || found.kind === 'dynamic') {
    return { whyNot: 'The stream is made from a template: change the template by hand, for all streams made from it.' }
  }
  const at = (path: Path) => follow(root, path).value
  const members = (path: Path): Members => {
    const value = at(path)
    return isObject(value) ? value : {}
  }
  const stream = members(found.path)
  const own =
    stream.type === 'StateDelegatingStream' ? [...found.path, 'full_refresh_stream'] : ([...found.path] as Path)
  const retriever = [...own, 'retriever']
  const { type } = members(retriever)
  if (typeof type === 'string' && type !== 'SimpleRetriever') {
    return { whyNot: `The stream is read by ${type}, whose pages are not changed from here.` }
  }
  const paginator = [...retriever, 'paginator']
  const strategy = [...paginator, 'pagination_strategy']
  const requester = [...retriever, 'requester']
  const selector = [...retriever, 'record_selector']
  const written = { paginator: members(paginator), strategy: members(strategy), requester: members(requester) }
  return { retriever, paginator, strategy, requester, selector, at, written }
}

/** Edits at a path: `set(place.strategy, { page_size: 100 })`. Undefined removes. */
export function set(path: Path, members: Members): ManifestEdit[] {
  return Object.entries(members).map(([key, value]) => ({ path: [...path, key], value }))
}
