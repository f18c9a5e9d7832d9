/**
 * `npm run compat:airbyte -- DIR`: streams of every manifest of a folder, read by Turnleaf and by airbyte-cdk from a server that answers
 * as their APIs would, and once more from the state that each left. `--streams 2` of each manifest, `--only shop` by name,
 * `--situation forbidden` with other answers, configs or states (situations.ts).
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { endAllWhenInterrupted } from '../../benchmarks/peers/children.ts'
import { prepare } from '../../benchmarks/peers/environment.ts'
import { loadManifest } from '../../src/connector/load-manifest.ts'
import type { Component } from '../../src/engine/manifest/manifest.ts'
import { configsFor } from '../../src/lab/mirror/config.ts'
import { componentsInside } from '../../src/lab/mirror/find-components.ts'
import { findStreams } from '../../src/lab/mirror/find-streams.ts'
import { openAnsweringServer } from '../../src/lab/mirror/server.ts'
import { isObject } from '../../src/std/values/objects.ts'
import { compare, type Comparison, type Side, sortedText, type Verdict } from './compare.ts'
import { differenceOf } from './known-differences.ts'
import { openAirbyte } from './open-airbyte.ts'
import { type Both, earlierWith, readBoth, type StreamOfBoth } from './read-both.ts'
import { type Situation, situations } from './situations.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    streams: { type: 'string', default: '3' },
    situation: { type: 'string' },
  },
})
const [folder = 'test/manifests'] = positionals
const perManifest = Number(values.streams)
if (!existsSync(folder)) refuse(`There is no folder ${folder}.`)
const situation: Situation = values.situation === undefined ? {} : (situations[values.situation] ?? refuseSituation())
if (!(perManifest >= 1)) refuse(`--streams takes a number from 1 on, not ${values.streams}.`)

/** Parts of streams that were read: see `Situation.part`. */
const parts = new Set<string>()

type Outcome = Verdict | 'known'
const counts = new Map<string, number>()
const count = (outcome: Outcome, kind: 'first' | 'second') => {
  counts.set(`${kind} ${outcome}`, (counts.get(`${kind} ${outcome}`) ?? 0) + 1)
}

endAllWhenInterrupted()
const environment = await prepare('node_modules/.cache/turnleaf/peers').catch((error: unknown) =>
  refuse((error as Error).message),
)
const temporary = mkdtempSync(join(tmpdir(), 'turnleaf-compat-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
await using server = await openAnsweringServer()
await using airbyte = await openAirbyte(environment)
for (const name of readdirSync(folder).filter((one) => /\.ya?ml$/.test(one) && one.includes(values.only))) {
  try {
    await compareConnector(name)
  } catch (error) {
    console.log(`${name}: ${(error as Error).message}`)
  }
}
printCounts()

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}

function refuseSituation(): never {
  refuse(`--situation is one of ${Object.keys(situations).join(', ')}.`)
}

async function compareConnector(name: string): Promise<void> {
  const path = join(folder, name)
  const text = oneAtATime(readFileSync(path, 'utf8'))
  const file = join(temporary, 'manifest.yaml')
  writeFileSync(file, text)
  const manifest = loadManifest(text, { file: name, folder: dirname(path) })
  const [usual = {}] = configsFor(manifest)
  const given = situation.config === undefined ? usual : situation.config(usual, manifest)
  if (given === null) return
  const { config, streams, before } = await findStreams(server, manifest, given)
  const withoutClasses = streams.filter(
    ({ stream }) => !componentsInside(stream).some(({ type }) => type.startsWith('Custom')),
  )
  for (const found of spread(withoutClasses.filter(isNewPart), perManifest)) {
    await compareStream(name.replace(/^source-|\.ya?ml$/g, ''), {
      server,
      airbyte,
      manifest,
      file,
      given,
      config,
      before,
      endpoint: situation.endpoint,
      ...found,
    })
  }
}

function isNewPart({ stream }: { stream: Component }): boolean {
  if (situation.part === undefined) return true
  const part = sortedText(situation.part(stream))
  const isNew = !parts.has(part)
  parts.add(part)
  return isNew
}

async function compareStream(connector: string, of: StreamOfBoth): Promise<void> {
  const stream = `${connector}/${of.name}`
  if (situation.state !== undefined && of.stream.incremental_sync === undefined) return
  const first = await readBoth(of)
  if (situation.state !== undefined) {
    const { state } = first.theirs
    const other = isObject(state) ? situation.state(state) : null
    if (other !== null) judge(stream, await readBoth(of, earlierWith(of.name, other)), 'second')
    return
  }
  const verdict = judge(stream, first, 'first')
  const isResumed = first.isResumable && first.ours.error === null
  if (isResumed && verdict === 'same') judge(stream, await readBoth(of, first.earlier), 'second')
}

function judge(stream: string, { ours, theirs }: Both, kind: 'first' | 'second'): Outcome {
  const comparison = compare(ours, theirs)
  const known = comparison.verdict === 'different' ? differenceOf(stream) : null
  const outcome = known === null ? comparison.verdict : 'known'
  count(outcome, kind)
  if (outcome === 'refused') console.log(`${stream}: Airbyte cannot read it: ${String(theirs.error).slice(0, 150)}`)
  if (outcome === 'neither') console.log(`${stream}: neither can read it: ${String(ours.error).slice(0, 150)}`)
  if (outcome === 'different') console.log(`${stream}, ${kind} read: ${shown(comparison, ours, theirs)}`)
  return outcome
}

function shown({ requests, records, isStateSame }: Comparison, ours: Side, theirs: Side): string {
  const first = (title: string, [our, their]: Comparison['requests']) =>
    `\n  ${title} of ours only: ${our.length}, ${our[0] ?? ''}\n  of Airbyte only: ${their.length}, ${their[0] ?? ''}`
  const states = isStateSame ? '' : `\n  state: ${sortedText(ours.state)}\n  of Airbyte: ${sortedText(theirs.state)}`
  return `${first('requests', requests)}${first('records', records)}${states}\n  errors: ${ours.error} | ${theirs.error}`
}

/** Slices in order: what the server answers depends on who asks first. */
function oneAtATime(text: string): string {
  const level = 'concurrency_level:\n  type: ConcurrencyLevel\n  default_concurrency: 1\n  max_concurrency: 1\n'
  return `${text.replace(/^concurrency_level:\n(?: +.*\n)+/m, '').trimEnd()}\n\n${level}`
}

/** Some of a list, from all over it. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.floor(all.length / most))
  return all.filter((_, index) => index % step === 0).slice(0, most)
}

function printCounts(): void {
  const titles: Record<Outcome, string> = {
    same: 'the same requests, records and state',
    parents: 'the same records and state; Airbyte requests parents again',
    known: 'a difference that docs/compatibility.md explains',
    refused: 'Airbyte cannot read it',
    neither: 'neither can read it',
    different: 'another difference',
  }
  console.log('\n| | streams | read again from their state |\n| --- | --- | --- |')
  for (const [outcome, title] of Object.entries(titles)) {
    console.log(`| ${title} | ${counts.get(`first ${outcome}`) ?? 0} | ${counts.get(`second ${outcome}`) ?? 0} |`)
  }
  process.exitCode = [...counts.keys()].some((key) => key.endsWith(' different')) ? 1 : 0
}
