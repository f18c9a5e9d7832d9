/** What the author wrote → Manifest, or every problem at once. */
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { checkComponents } from './check-components.ts'
import { checkStreams } from './check-streams.ts'
import { type ComponentOf, type ComponentType, isComponent } from './components.ts'
import { unsupportedIn } from './supported.ts'
import { generateStream } from './generate.ts'
import { importObject, parseSteps } from './parse.ts'
import { keepPlaces, type Places } from './places.ts'
import type { Component, Manifest, Unsupported } from './manifest.ts'
import { settleComponents } from './parameters.ts'
import { problem } from './problem.ts'
import { lastOf, type Steps } from './read-yaml.ts'
import { broken, resolveReferences } from './references.ts'
import { isObject, type TreeObject } from './tree.ts'
import { upgradeSpellings } from './upgrade.ts'
import { found } from './value-kinds.ts'

export type Checked = {
  manifest: Manifest | null
  problems: Problem[]
  /** Of a manifest with structural errors, what can be checked further; nothing runs it. */
  draft?: ManifestDraft
}

export type ManifestDraft = {
  /** With the streams only that have no structural error. */
  readonly manifest: Manifest
  /** The other streams, as they are. */
  readonly others: readonly Component[]
}

/**
 * Reads a manifest: YAML or JSON text, or a plain object. Never throws for what the author wrote;
 * `manifest` is null exactly when one of the problems is an error.
 *
 *     const { manifest, problems } = checkManifest(text, { file: 'shop.yaml' })
 */
export function checkManifest(source: string | object, options: { file?: string } = {}): Checked {
  return lastOf(checkSteps(source, options))
}

/** The same, step by step: each takes a few milliseconds, where all together would hold up a server. */
export function* checkSteps(source: string | object, options: { file?: string } = {}): Steps<Checked> {
  try {
    return yield* checked(source, options.file)
  } catch (error) {
    if (error instanceof RangeError)
      return refused(problem('manifest/too-large', 'error', 'The manifest is too large to read.', { pointer: '' }))
    if (!(error instanceof ConnectorError)) throw error
    const at = { pointer: '', ...error.at, ...(options.file !== undefined && { file: options.file }) }
    return refused(problem(error.code, 'error', error.message, at, error.hint))
  }
}

function refused(one: Problem): Checked {
  return { manifest: null, problems: [one] }
}

function* checked(source: string | object, file: string | undefined): Steps<Checked> {
  const { value, places, problems } =
    typeof source === 'string' ? yield* parseSteps(source, file) : importObject(source, file)
  if (!isObject(value)) return refused(notAnObject(value, places))
  yield
  const references = yield* resolveReferences(value, places)
  problems.push(...references.problems)
  const resolved = references.root
  if (!isObject(resolved)) return { manifest: null, problems: [...problems, notAnObject(resolved, places)] }
  if (resolved === broken) return { manifest: null, problems }

  yield
  const settled = settleComponents(asSource(resolved, places), places)
  yield
  const { root, notes } = upgradeSpellings(settled.root, places)
  yield
  problems.push(...settled.problems, ...notes, ...checkComponents(root, places))
  yield
  problems.push(...checkStreams(root, places))
  yield

  const all = inOrder(problems)
  if (!isComponent(root, 'DeclarativeSource')) return { manifest: null, problems: all }
  if (!all.some(({ severity }) => severity === 'error'))
    return { manifest: manifestOf(root, places, all, file), problems: all }
  return { manifest: null, problems: all, draft: draftOf(root, places, file) }
}

function draftOf(root: TreeObject, places: Places, file: string | undefined): ManifestDraft {
  const { root: sound, others } = soundPart(root, places)
  return { manifest: manifestOf(sound as ComponentOf<'DeclarativeSource'>, places, [], file), others }
}

function notAnObject(value: unknown, places: Places): Problem {
  const message = `A manifest is an object with \`version\`, \`check\` and \`streams\`; this is ${found(value)}.`
  return problem('manifest/wrong-type', 'error', message, places.locate('', 0))
}

/** The top of a manifest need not say that it is a source. */
function asSource(root: TreeObject, places: Places): TreeObject {
  if (Object.hasOwn(root, 'type')) return root
  const source = { ...root, type: 'DeclarativeSource' }
  const origin = places.get(root)
  if (origin !== undefined) places.set(source, origin)
  return source
}

function manifestOf(
  root: ComponentOf<'DeclarativeSource'>,
  places: Places,
  problems: Problem[],
  file: string | undefined,
): Manifest {
  return {
    version: root.version,
    ...(file !== undefined && { file }),
    root,
    streams: root.streams ?? [],
    spec: root.spec ?? null,
    at: (node, key) => places.at(node, key),
    derived: (copy, original) => keepPlaces(copy, original, places),
    generate: (filled, template, precedence) => generateStream(filled, template, places, precedence),
    problems,
    unsupported: countUnsupported(root, places),
  }
}

function countUnsupported(root: object, places: Places): Unsupported[] {
  const counts = new Map<string, { count: number; node: object }>()
  for (const { type, node } of unsupportedIn(root)) {
    const known = counts.get(type)
    if (known === undefined) counts.set(type, { count: 1, node })
    else known.count++
  }
  return Array.from(counts, ([type, { count, node }]) => ({ type, count, at: places.at(node) }))
}

const ranks = { error: 0, warning: 1, note: 2 } as const

/** Errors first, each kind in the order of the text; a problem of a shared definition is reported once. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const unique = new Map(
    problems.map((one) => [`${one.code} ${one.at.pointer} ${one.at.line}:${one.at.column} ${one.message}`, one]),
  )
  return Array.from(unique.values()).toSorted(
    (a, b) =>
      ranks[a.severity] - ranks[b.severity] ||
      (a.at.line ?? 0) - (b.at.line ?? 0) ||
      (a.at.column ?? 0) - (b.at.column ?? 0),
  )
}

export type SoundPart = {
  /** The source with the parts only that have no structural error. */
  readonly root: TreeObject
  /** The streams that were left out, as they are. */
  readonly others: readonly Component[]
}

const streamTypes: readonly ComponentType[] = ['ConditionalStreams', 'DeclarativeStream', 'StateDelegatingStream']

function soundPart(root: TreeObject, places: Places): SoundPart {
  const isSound = (node: unknown, allowed: readonly ComponentType[]): node is TreeObject =>
    isObject(node) && !holdsBroken(node) && !checkComponents(node, places, allowed).some(isError)
  const streams = objectsIn(root.streams)
  const templates = objectsIn(root.dynamic_streams)
  const soundStreams = streams.filter((one) => isSound(one, streamTypes))
  const soundTemplates = templates.filter((one) => isSound(one, ['DynamicDeclarativeStream']))
  const { spec, api_budget: budget, ...rest } = root
  return {
    root: {
      ...rest,
      streams: soundStreams,
      dynamic_streams: soundTemplates,
      ...(isSound(spec, ['Spec']) && { spec }),
      ...(isSound(budget, ['HTTPAPIBudget']) && { api_budget: budget }),
    },
    others: [
      ...streams.filter((one) => !soundStreams.includes(one)).flatMap(streamsWithin),
      ...templates.filter((one) => !soundTemplates.includes(one)),
    ] as Component[],
  }
}

function objectsIn(list: unknown): TreeObject[] {
  return Array.isArray(list) ? list.filter(isObject).filter((one) => one !== broken) : []
}

function streamsWithin(stream: TreeObject): TreeObject[] {
  return isComponent(stream, 'ConditionalStreams') ? objectsIn((stream as TreeObject).streams) : [stream]
}

/** Whether a reference in it leads nowhere. */
function holdsBroken(node: object): boolean {
  const seen = new Set<object>()
  const left: object[] = [node]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one === broken) return true
    if (seen.has(one)) continue
    seen.add(one)
    for (const member of Object.values(one)) if (typeof member === 'object' && member !== null) left.push(member)
  }
  return false
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error'
}
