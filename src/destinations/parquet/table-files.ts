/** The files of a table, and whether they are there. */
import { lstat, readdir } from 'node:fs/promises'
import type { Columns } from '../columns/columns.ts'
import { errorCode } from '../../std/disk/trouble.ts'
import { isDraft } from './moves.ts'

/** By name, in the order in which they came; all have the columns of the table. */
export type TableFiles = { readonly columns: Columns; readonly files: readonly string[] }

/** A folder with nothing in it but what a crash left of a first try is free. */
export async function holdsAnything(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).some((name) => !isDraft(name))
  } catch (error) {
    return errorCode(error) !== 'ENOENT'
  }
}

export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}
