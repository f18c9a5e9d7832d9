/** The text of `connection.yaml` → a connection, or every problem that it has. */
import { basename, dirname, resolve } from 'node:path'
import { parseText } from '../engine/manifest/parse.ts'
import type { Places } from '../engine/manifest/places.ts'
import { didYouMean, listed, problem } from '../engine/manifest/problem.ts'
import type { Prefetch } from '../engine/pages/stream.ts'
import type { Config } from '../engine/plan/plan.ts'
import { type Requirement, requirements } from '../proof/verdict/verdict-name.ts'
import { ConnectorError, type Problem, type SourceLocation } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { type RequestedModes, syncModeNamed } from '../sync/modes.ts'
import { parseSchedule, type Schedule } from './schedule.ts'
import type { ValuePath } from './references.ts'
import { parseOrigin } from './secret-origins.ts'

/** As it is written: references are not filled in. */
export type Connection = {
  /** The name of its folder. Tables, states and runs are stored under it. */
  readonly name: string
  readonly folder: string
  /** As it is shown: from the current folder. */
  readonly file: string
  readonly text: string
  /** A name in `TURNLEAF_HOME/connectors`, or a path from the folder of the connection. */
  readonly connector: string
  readonly config: Config
  /** Null for the default of `--to`. */
  readonly destination: string | null
  readonly schema: string | null
  /** Null for all. */
  readonly streams: readonly string[] | null
  readonly mode: RequestedModes | null
  readonly require: Requirement
  readonly prefetch: Prefetch | null
  readonly concurrency: number | null
  /** Null where nothing starts it but a command. */
  readonly schedule: Schedule | null
  /** Where a server that others can reach may send its secrets; null where no one said so. */
  readonly origins: readonly string[] | null
  /** Where a value is written. */
  readonly locate: (path: ValuePath) => SourceLocation
}

type Check = (value: unknown) => string | null

/** What each key may hold: the check returns what is expected instead, null where the value fits. */
const keys: Readonly<Record<string, Check>> = {
  connector: textCheck('the name of a connector, or a path'),
  config: (value) => (isObject(value) ? null : 'the config values by name'),
  destination: textCheck('duckdb:FILE, parquet:FOLDER, jsonl:FOLDER, postgres://…, or a reference such as ${DATABASE}'),
  schema: textCheck('the name of a database schema'),
  streams: (value) => (isList(value) && value.length > 0 && value.every(isText) ? null : 'a list of stream names'),
  mode: modeFault,
  require: (value) => (requirements.some((one) => one === value) ? null : listed(requirements)),
  // YAML reads `off` as false.
  prefetch: (value) =>
    ['auto', 'off', false].includes(value as string) || isPositive(value) ? null : 'auto, off or a number',
  concurrency: (value) => (isPositive(value) ? null : 'a whole number, 1 or more'),
  // Has its own errors.
  schedule: () => null,
  origins: (value) =>
    isList(value) && value.every((one) => isText(one) && parseOrigin(one) !== null)
      ? null
      : 'a list of addresses such as https://api.shop.example, without a path',
}

export const connectionKeys: readonly string[] = Object.keys(keys)

/** @param file its path; the connection has the name of the folder. */
export function parseConnection(text: string, file: string): Connection {
  const { value, places } = parsed(text, file)
  if (isObject(value) && value.type === 'DeclarativeSource') {
    throw new ConnectorError('connections/invalid', `${file} is a manifest, not a connection.`, {
      at: places.at(value),
      hint: `Write --manifest-path ${file}, or name it as the \`connector\` of a connection.`,
    })
  }
  const problems = isObject(value) ? problemsIn(value, places) : [notAMapping(file)]
  const [first] = problems
  if (first !== undefined || !isObject(value)) throw withProblems(problems)
  const folder = resolve(dirname(file))
  return {
    name: basename(folder),
    folder,
    file,
    text,
    connector: value.connector as string,
    config: (value.config as Config | undefined) ?? {},
    destination: (value.destination as string | undefined) ?? null,
    schema: (value.schema as string | undefined) ?? null,
    streams: (value.streams as readonly string[] | undefined) ?? null,
    mode: modesOf(value.mode),
    require: (value.require as Requirement | undefined) ?? 'unproven',
    prefetch: value.prefetch === false ? 'off' : ((value.prefetch as Prefetch | undefined) ?? null),
    concurrency: (value.concurrency as number | undefined) ?? null,
    schedule: (value.schedule as Schedule | undefined) ?? null,
    origins: (value.origins as readonly string[] | undefined)?.map((one) => parseOrigin(one) ?? one) ?? null,
    locate: (path) => locate(value, places, path),
  }
}

function parsed(text: string, file: string): { value: unknown; places: Places } {
  try {
    return parseText(text, file)
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    throw new ConnectorError('connections/invalid', error.message.replace('The manifest', 'The file'), {
      at: error.at ?? { pointer: '', file },
      cause: error,
    })
  }
}

function problemsIn(value: Record<string, unknown>, places: Places): Problem[] {
  const problems = Object.entries(value).flatMap(([key, member]) => {
    const check = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (check === undefined) {
      const hint = didYouMean(nearMiss(key, Object.keys(keys)), `The keys are ${listed(Object.keys(keys), 20, 'and')}.`)
      return [problem('connections/invalid', 'error', `There is no key \`${key}\`.`, places.atKey(value, key), hint)]
    }
    if (key === 'schedule') return scheduleProblems(value, places)
    const expected = check(member)
    if (expected === null) return []
    const message = `\`${key}\` must be ${expected}.`
    return [problem('connections/invalid', 'error', message, places.at(value, key))]
  })
  if (Object.hasOwn(value, 'connector')) return problems
  const hint = 'Add `connector: NAME`, the name of a folder in connectors/, or a path.'
  return [problem('connections/invalid', 'error', '`connector` is missing.', places.at(value), hint), ...problems]
}

function scheduleProblems(value: Record<string, unknown>, places: Places): Problem[] {
  try {
    parseSchedule(value.schedule)
    return []
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error
    return [problem(error.code, 'error', error.message, places.at(value, 'schedule'), error.hint)]
  }
}

function notAMapping(file: string): Problem {
  const message = 'The file does not have the keys of a connection.'
  return problem('connections/invalid', 'error', message, { pointer: '', file }, 'Start it with `connector: NAME`.')
}

function withProblems(problems: readonly Problem[]): ConnectorError {
  const [first] = problems
  if (first === undefined) throw new Error('A connection without problems was refused.')
  const { code, message, at, hint } = first
  return new ConnectorError(code, message, { at, hint, problems: problems.length === 1 ? [] : problems })
}

/** The place of the deepest part of the path that is written. */
function locate(root: object, places: Places, path: ValuePath): SourceLocation {
  let holder = root
  for (const key of path.slice(0, -1)) {
    const next = (holder as Readonly<Record<string | number, unknown>>)[key]
    if (typeof next !== 'object' || next === null) break
    holder = next
  }
  const last = path.at(-1)
  return last === undefined ? places.at(root) : places.at(holder, last)
}

function modeFault(value: unknown): string | null {
  const modes = isObject(value) ? Object.values(value) : [value]
  const expected = 'a mode such as incremental-dedup, or a mode by stream'
  return modes.every((one) => isText(one) && isMode(one)) ? null : expected
}

function isMode(name: string): boolean {
  try {
    syncModeNamed(name)
    return true
  } catch {
    return false
  }
}

function modesOf(value: unknown): RequestedModes | null {
  if (typeof value === 'string') return syncModeNamed(value)
  if (!isObject(value)) return null
  return Object.fromEntries(Object.entries(value).map(([stream, mode]) => [stream, syncModeNamed(mode as string)]))
}

function textCheck(expected: string): Check {
  return (value) => (isText(value) ? null : expected)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
