/** The steps of a commit → the files of its tables as the commit will leave them. */
import { basename, join } from 'node:path'
import type { TablePage, RowsOfSlice, Table } from '../destination.ts'
import { claimTable, refuseForeign } from './claim-table.ts'
import type { Draft } from './draft.ts'
import type { LineSet } from './line-set.ts'
import type { Ledger } from './ledger.ts'
import type { TableFiles } from './ledger-entry.ts'
import { type FilePart, linesOf, readAll } from './lines.ts'
import { linesOfSlices } from './lines-of-slices.ts'
import { outdatedLines } from './outdated-lines.ts'
import type { Places } from './places.ts'
import { refuseChanged, refuseEdited, sizeOf } from './refuse-changed.ts'

/** A table in the course of a commit. What will be live may stand among the staged files until then. */
export type OpenTable = {
  readonly stream: string
  readonly file: string
  live: FilePart | null
  staged: FilePart | null
}

export type Site = { readonly places: Places; readonly ledger: Ledger; readonly draft: Draft }

/** @param needsStaged whether what is staged counts: what is about to be dropped may as well be missing. */
export async function openTable(
  { name: stream, mode }: Table,
  needsStaged: boolean,
  { places, ledger }: Site,
): Promise<OpenTable> {
  const own = [...ledger.state.tables.values()].map(({ file }) => file)
  const known = ledger.state.tables.get(stream)
  const file = known?.file ?? (await claimTable(stream, own, places))
  const livePath = join(places.folder, file)
  const live = known?.live ? { path: livePath, length: known.live.length } : null
  const staged = known?.staged ? { path: join(places.staged, known.staged.file), length: known.staged.length } : null
  if (live === null) await refuseForeign(livePath)
  else {
    const size = await sizeOf(live.path)
    // The same goes for what is about to be replaced; but nobody's lines are dropped with it.
    const isMissed = mode !== 'overwrite' || (size !== null && size > live.length)
    if (isMissed) refuseChanged(live.path, live.length, size)
  }
  if (staged !== null && needsStaged) refuseChanged(staged.path, staged.length, await sizeOf(staged.path))
  return { stream, file, live, staged }
}

export async function writePages(table: OpenTable, mode: Table['mode'], pages: readonly TablePage[], site: Site) {
  if (pages.every(({ records }) => records.length === 0)) return
  const { draft } = site
  if (mode === 'append') {
    if (table.live !== null) await beginAppending(table, site)
    table.live = await draft.append(table.live ?? (await draft.create()), linesOf(pages))
  } else table.staged = await draft.append(table.staged ?? (await draft.create()), linesOf(pages))
}

/** Once per table and sync: without this line, text behind the committed length of a live file is somebody else's. */
async function beginAppending({ stream }: OpenTable, { ledger }: Site): Promise<void> {
  const files = ledger.state.tables.get(stream)
  if (files === undefined || files.isAppending) return
  await ledger.append({ tables: { [stream]: { ...files, isAppending: true } } })
}

export async function rewind(
  table: OpenTable,
  mode: Table['mode'],
  rows: readonly RowsOfSlice[],
  { draft }: Site,
): Promise<void> {
  const without = async (part: FilePart | null) => {
    if (part === null) return null
    const lines = await refuseEdited(part.path, async () => await linesOfSlices(part, rows))
    return lines.size === 0 ? part : await copyWithout([part], lines, draft)
  }
  table.staged = await without(table.staged)
  if (mode === 'append') table.live = await without(table.live)
}

export async function publish(table: OpenTable, plan: Table, { draft }: Site): Promise<void> {
  const { live, staged } = table
  if (plan.mode === 'overwrite') table.live = staged ?? (await draft.create())
  else if (staged === null || plan.mode === 'append') table.live = live ?? (await draft.create())
  else {
    const parts = live === null ? [staged] : [live, staged]
    const path = live?.path ?? staged.path
    const outdated = await refuseEdited(path, async () => await outdatedLines(parts, plan, draft.newPath()))
    table.live = live === null && outdated.size === 0 ? staged : await copyWithout(parts, outdated, draft)
  }
  if (plan.mode !== 'append') table.staged = null
}

async function copyWithout(parts: readonly FilePart[], without: LineSet, draft: Draft): Promise<FilePart> {
  async function* kept() {
    let line = 0
    for await (const lines of readAll(parts)) yield Buffer.concat(lines.filter(() => !without.has(line++)))
  }
  return await draft.append(await draft.create(), kept())
}

/** What the ledger says of the table once the commit has happened. */
export function filesOf({ stream, file, live, staged }: OpenTable, { places, ledger }: Site): TableFiles {
  const before = ledger.state.tables.get(stream)
  const isInPlace = live?.path === join(places.folder, file)
  return {
    file,
    live: live && { length: live.length, madeFrom: isInPlace ? null : basename(live.path) },
    staged: staged && { file: basename(staged.path), length: staged.length },
    isAppending: before?.isAppending ?? false,
  }
}
