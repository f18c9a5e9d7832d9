/** How a connector is synced from this page: where to, in which modes, and what is required. */
import type { Requirement } from '../../../proof/verdict/verdict-name.ts'
import { parseJson } from '../../../std/json.ts'
import type { SyncMode } from '../../../sync/mode-names.ts'

export type DestinationKind = 'embedded' | 'duckdb' | 'parquet' | 'jsonl' | 'postgres'

export type SyncChoices = {
  readonly kind: DestinationKind
  /** By kind, so that changing the kind loses nothing. */
  readonly paths: Readonly<Partial<Record<DestinationKind, string>>>
  /** The environment variable of the server with the address of the database; empty where it is typed. */
  readonly variable: string
  readonly isTyped: boolean
  /** Only for as long as the tab lives. */
  readonly address: string
  readonly modes: Readonly<Record<string, SyncMode>>
  readonly require: Requirement
}

export const usualChoices: SyncChoices = {
  kind: 'embedded',
  paths: {},
  variable: '',
  isTyped: false,
  address: '',
  modes: {},
  require: 'unproven',
}

/** What this browser kept; the usual where it is damaged. */
export function parseChoices(text: string | null): SyncChoices {
  try {
    const value = text === null ? null : (parseJson(text).value as Partial<SyncChoices> | null)
    return { ...usualChoices, ...value, address: '' }
  } catch {
    return usualChoices
  }
}

/** The path that is used where none is typed. */
export function usualPath(kind: DestinationKind, connector: string): string {
  return kind === 'duckdb' ? `${connector}.duckdb` : `data/${connector}`
}

export type ChosenTo = { readonly to?: string } | { readonly missing: string }

/** `to` of a request; absent for the embedded database. */
export function chosenTo(choices: SyncChoices, connector: string): ChosenTo {
  const { kind, paths, variable, isTyped, address } = choices
  if (kind === 'embedded') return {}
  if (kind !== 'postgres') return { to: `${kind}:${paths[kind]?.trim() || usualPath(kind, connector)}` }
  if (isTyped)
    return address.trim() === '' ? { missing: 'The address of the database is missing.' } : { to: address.trim() }
  const name = variable.trim().replace(/^\$\{(.*)\}$/, '$1')
  return name === '' ? { missing: 'The name of the environment variable is missing.' } : { to: `\${${name}}` }
}

/** Modes of the streams that there are; undefined where all have the usual one. */
export function chosenModes({ modes: chosen }: SyncChoices, streams: readonly string[]) {
  const some = Object.entries(chosen).filter(([stream]) => streams.includes(stream))
  return some.length === 0 ? undefined : (Object.fromEntries(some) as Record<string, SyncMode>)
}
