/** The names that templates of the open connector may use: config from its spec, slices from the stream, and what the server adds. */
import { useMemo } from 'react'
import type { TemplateContext, TemplateContextRequest } from '../../server/wire/evaluation.ts'
import type { ReadPage } from '../../server/wire/test-read.ts'
import type { Path } from '../../document/value-path.ts'
import { useInputs } from '../session/inputs.ts'
import type { Inputs } from '../session/tab-configs.ts'
import { useFollowed } from '../session/use-field.ts'
import { useOfManifest, useSession } from '../session/use-session.tsx'
import { type PagePlace, useReading, useSelectedPage } from '../test-reads/read-store.ts'
import { useTestedStream } from '../test-reads/tested-stream.ts'
import { sliceMembers } from './slice-members.ts'
import { type NameMember, nameMember, type TemplateNames } from './template-names.ts'
import { parseJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ask } from '../api/ask.ts'

/** The place of a template in the manifest decides which names it has. */
export type TemplatePlace = TemplateContextRequest['place']

export function placeOfTemplate(path: Path): TemplatePlace {
  const has = (...names: string[]) => names.some((name) => path.includes(name))
  if (has('paginator')) return 'pagination'
  if (has('error_handler')) return 'error'
  return has('record_filter', 'transformations', 'record_selector') ? 'record' : 'request'
}

/** @param chosen the page they come from; the one that is looked at in the test panel when absent. */
export function useTemplateNames(place: TemplatePlace, chosen?: ReadPage | null): TemplateNames {
  const name = useSession((session) => session.name)
  const { value: specified } = useFollowed(inputsAt)
  const inputs = useInputs(name)
  const ofSlices = useSliceMembers()
  const read = useReading()?.id ?? null
  const selected = useSelectedPage()
  const page = chosen === undefined ? selected : chosen
  const context = useTemplateContext(
    place,
    page === null || read === null ? null : { read, slice: page.slice, page: page.page },
  )
  return useMemo(() => {
    // The page that is here says more than a few levels of it; the spec says which inputs there are.
    const here = new Map((page === null ? [] : pageMembers(page)).map((member) => [member.name, member]))
    here.set('config', configMember(specified, inputs))
    const members = context === undefined ? [] : membersOfPaths(context.names)
    return {
      members: members.map((one) => here.get(one.name) ?? (slices.has(one.name) ? withMembers(one, ofSlices) : one)),
      functions: context?.functions ?? [],
      filters: context?.filters ?? [],
    }
  }, [specified, inputs, ofSlices, page, context])
}

/** One value under three names. */
const slices = new Set(['stream_slice', 'stream_partition', 'stream_interval'])

/** What a page says about a value is more than the manifest can say. */
function withMembers(owner: NameMember, ofManifest: readonly NameMember[]): NameMember {
  const ofPage = owner.members?.() ?? []
  const added = ofManifest.filter(({ name }) => !ofPage.some((one) => one.name === name))
  if (added.length === 0) return owner
  const members = [...ofPage, ...added]
  return { ...owner, type: 'dict', sample: members.map(({ name }) => name).join(', '), members: () => members }
}

const knownSlices = new WeakMap<object, Map<string | null, readonly NameMember[]>>()

/** Of the stream whose pages are looked at. Every field of a form asks for them at every key. */
function useSliceMembers(): readonly NameMember[] {
  const stream = useTestedStream()
  return useOfManifest((root) => {
    if (!isObject(root)) return []
    const known = knownSlices.get(root) ?? new Map<string | null, readonly NameMember[]>()
    knownSlices.set(root, known)
    const members = known.get(stream) ?? sliceMembers(root, stream)
    known.set(stream, members)
    return members
  }, stream ?? '')
}

const inputsAt: Path = ['spec', 'connection_specification', 'properties']

type InputSpec = { readonly type?: unknown; readonly title?: unknown; readonly airbyte_secret?: unknown }

/** The inputs that the spec describes. Secrets show that they are there, and no more. */
function configMember(specified: unknown, inputs: Inputs): NameMember {
  const described = typeof specified === 'object' && specified !== null ? Object.entries(specified) : []
  const members = described.map(([key, spec]: [string, InputSpec | null]): NameMember => {
    const { type, title, airbyte_secret: isSecret } = spec ?? {}
    if (isSecret === true) return { name: key, type: 'str', sample: 'secret' }
    if (Object.hasOwn(inputs, key)) return nameMember(key, inputs[key])
    return { name: key, type: pythonTypes[String(type)] ?? '', sample: typeof title === 'string' ? title : '' }
  })
  return { name: 'config', type: 'dict', sample: members.map((one) => one.name).join(', '), members: () => members }
}

const pythonTypes: Partial<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
}

type Growing = { readonly name: string; type: string; sample: string; isPosition: boolean; below: Map<string, Growing> }

function membersOfPaths(names: TemplateContext['names']): readonly NameMember[] {
  const top = new Map<string, Growing>()
  for (const { name: path, type, sample } of names) {
    let level = top
    let found: Growing | undefined
    for (const [part, single, double, position] of path.matchAll(step)) {
      const name = (single ?? double)?.replaceAll(/\\(.)/g, '$1') ?? position ?? part.replace('.', '')
      found = level.get(name) ?? { name, type: '', sample: '', isPosition: position !== undefined, below: new Map() }
      level.set(name, found)
      level = found.below
    }
    if (found !== undefined) Object.assign(found, { type, sample })
  }
  return [...top.values()].map(asMember)
}

const step = /\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|\.?[A-Za-z_]\w*/g

function asMember({ name, type, sample, isPosition, below }: Growing): NameMember {
  return {
    name,
    type,
    sample,
    ...(isPosition && { isPosition }),
    ...(below.size > 0 && { members: () => [...below.values()].map(asMember) }),
  }
}

const known = new WeakMap<ReadPage, readonly NameMember[]>()

/** Of a body that is too long only its beginning is here, which is not JSON: then the server names its keys. */
function pageMembers(page: ReadPage): readonly NameMember[] {
  const members = known.get(page) ?? membersOf(page)
  known.set(page, members)
  return members
}

function membersOf({ response, records, emitted }: ReadPage): readonly NameMember[] {
  const body = response.isCut ? undefined : readBody(response.body)
  const last = records.length === emitted ? records.at(-1) : undefined
  return [
    body === undefined
      ? { name: 'response', type: '', sample: 'too long to be shown here' }
      : nameMember('response', body),
    nameMember('headers', response.headers),
    ...(last === undefined ? [] : [nameMember('last_record', last), nameMember('record', last)]),
  ]
}

function readBody(text: string): unknown {
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

type ContextPage = PagePlace & { readonly read: string }

/** Undefined until the server responds; without a response, completion works without its names. */
function useTemplateContext(
  place: TemplateContextRequest['place'],
  page: ContextPage | null,
): TemplateContext | undefined {
  const body = { place, ...(page !== null && { page }) } satisfies TemplateContextRequest
  const { data } = useQuery({
    queryKey: ['template-context', body],
    queryFn: ({ signal }) => ask<TemplateContext>('POST', '/v1/template-contexts', { body, signal }),
    placeholderData: keepPreviousData,
    // A captured page never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data
}
