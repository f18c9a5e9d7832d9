/** A destination of the test, and how its tables are read: by other code than what wrote them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TableContents, Tables } from '../compare.ts'

export type Place = AsyncDisposable & {
  /** As `--to` has it. */
  readonly address: string
  /** The tables of these names that exist. */
  read(names: readonly string[]): Promise<Tables>
}

export type PlaceKind = {
  readonly name: string
  /** Whether others may read while a sync is under way. */
  readonly isShared: boolean
  /** Where files are written: so many blocks of 512 bytes may each have for a sync to fail in its middle. */
  readonly fileLimit?: number
  /** A disk of this size is full before a sync is through. */
  readonly diskSize?: string
  make(): Promise<Place>
}

/** A folder of its own, gone at the end. */
export async function tempFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'turnleaf-chaos-'))
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true }) }
}

export async function tablesNamed(
  names: readonly string[],
  read: (name: string) => Promise<TableContents | null>,
): Promise<Tables> {
  const found: [string, TableContents][] = []
  for (const name of names) {
    const contents = await read(name)
    if (contents !== null) found.push([name, contents])
  }
  return new Map(found)
}
