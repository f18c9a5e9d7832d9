/** The steps of a commit → the files of its tables after the commit. */
import { lstat, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createWhole, withFile } from '../file-operations.ts'
import type { RowsOfSlice, Table, TablePage } from '../destination.ts'
import { chooseFileName, foldFileName } from '../file-name.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Ledger, LedgerTable } from './ledger.ts'
import {
  type FilePart,
  type LineSet,
  jsonLines,
  linesOfSlices,
  readAll,
  refuseChanged,
  refuseEdited,
  fileSize,
} from './lines.ts'
import { outdatedLines } from './outdated-lines.ts'
import { extension, type ConnectionPaths } from './paths.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'

export type Draft = {
  /** A path for a new file. */
  newPath(): string
  /** Creates an empty file with a unique name. */
  create(): Promise<FilePart>
  /** Appends the chunks to the committed part of a file. */
  append(part: FilePart, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<FilePart>
  /** Flushes everything written to disk. */
  sync(): Promise<void>
  /** Restores every file as the last commit left it. */
  undo(): Promise<void>
}

/** A table during a commit. The future live file may be among the staged files until then. */
export type OpenTable = {
  readonly stream: string
  readonly file: string
  live: FilePart | null
  staged: FilePart | null
}

export type CommitContext = { readonly paths: ConnectionPaths; readonly ledger: Ledger; readonly draft: Draft }

/** @param isDiscarded the read starts over: staged rows are about to be dropped, and a file that is gone is made again. */
export async function openTable(
  { name: stream, mode }: Table,
  isDiscarded: boolean,
  { paths, ledger }: CommitContext,
): Promise<OpenTable> {
  const known = ledger.state.tables.get(stream)
  const file = known?.file ?? (await claimTable(stream, { paths, ledger }))
  const livePath = join(paths.folder, file)
  const size = known?.live ? await fileSize(livePath) : null
  const isMadeAgain = isDiscarded && mode !== 'overwrite' && size === null
  const live = known?.live && !isMadeAgain ? { path: livePath, length: known.live.length } : null
  const staged = known?.staged ? { path: join(paths.staged, known.staged.file), length: known.staged.length } : null
  if (live === null) await refuseForeign(livePath)
  else {
    // A file that is about to be replaced may be missing, but lines that a user added are not dropped.
    const isMissed = mode !== 'overwrite' || (size !== null && size > live.length)
    if (isMissed) refuseChanged(live.path, live.length, size)
  }
  if (staged !== null && !isDiscarded) refuseChanged(staged.path, staged.length, await fileSize(staged.path))
  return { stream, file, live, staged }
}

export async function writePages(
  table: OpenTable,
  mode: Table['mode'],
  pages: readonly TablePage[],
  context: CommitContext,
) {
  if (pages.every(({ records }) => records.length === 0)) return
  const { draft } = context
  if (mode === 'append') {
    if (table.live !== null) await beginAppending(table, context)
    table.live = await draft.append(table.live ?? (await draft.create()), jsonLines(pages))
  } else table.staged = await draft.append(table.staged ?? (await draft.create()), jsonLines(pages))
}

/** Once per table and sync: without this ledger line, text after the committed length of a live file is not ours. */
async function beginAppending({ stream }: OpenTable, { ledger }: CommitContext): Promise<void> {
  const files = ledger.state.tables.get(stream)
  if (files === undefined || files.isAppending) return
  await ledger.append({ tables: { [stream]: { ...files, isAppending: true } } })
}

export async function rewindRows(
  table: OpenTable,
  mode: Table['mode'],
  rows: readonly RowsOfSlice[],
  { draft }: CommitContext,
): Promise<void> {
  const without = async (part: FilePart | null) => {
    if (part === null) return null
    const lines = await refuseEdited(part.path, async () => await linesOfSlices(part, rows))
    return lines.size === 0 ? part : await copyWithout([part], lines, draft)
  }
  table.staged = await without(table.staged)
  if (mode === 'append') table.live = await without(table.live)
}

export async function publishTable(table: OpenTable, plan: Table, { draft }: CommitContext): Promise<void> {
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

/** The ledger entry of the table after the commit. */
export function filesOf({ stream, file, live, staged }: OpenTable, { paths, ledger }: CommitContext): LedgerTable {
  const before = ledger.state.tables.get(stream)
  const isInPlace = live?.path === join(paths.folder, file)
  return {
    file,
    live: live && { length: live.length, madeFrom: isInPlace ? null : basename(live.path) },
    staged: staged && { file: basename(staged.path), length: staged.length },
    isAppending: before?.isAppending ?? false,
  }
}

type Claim = { readonly connection: string; readonly stream: string }

/** Throws where the file of the stream is not this connection's. Claims nothing. */
export async function refuseTaken(
  stream: string,
  { paths, ledger }: Pick<CommitContext, 'paths' | 'ledger'>,
): Promise<void> {
  const known = ledger.state.tables.get(stream)
  if (known?.live) return
  const wanted: Claim = { connection: paths.connection, stream }
  const file =
    known?.file ?? (await freeName(stream, { paths, ledger }, async (name) => (await ownerOf(name, paths)) ?? wanted))
  await refuseForeign(join(paths.folder, file))
}

/** Claims a file name for a stream, unique among all connections. */
async function claimTable(stream: string, context: Pick<CommitContext, 'paths' | 'ledger'>): Promise<string> {
  const { paths } = context
  await withFile(paths.claims, async () => await makeFolder(paths.claims))
  return await freeName(stream, context, async (file) => await claim(file, stream, paths))
}

/** @param claimed tells the owner of a name: this stream, unless another was first. */
async function freeName(
  stream: string,
  { paths, ledger }: Pick<CommitContext, 'paths' | 'ledger'>,
  claimed: (file: string) => Promise<Claim>,
): Promise<string> {
  const taken = new Set([...ledger.state.tables.values()].map(({ file }) => foldFileName(file)))
  for (;;) {
    const file = chooseFileName(stream, (folded) => taken.has(folded + extension)) + extension
    const owner = await claimed(file)
    if (owner.connection !== paths.connection) {
      const message = `${join(paths.folder, file)} is a table of another connection, ${JSON.stringify(owner.connection)}.`
      throw new ConnectorError('destinations/table-taken', message)
    }
    if (owner.stream === stream) return file
    // Claimed by another stream of this connection whose first commit failed; it will be read again.
    taken.add(foldFileName(file))
  }
}

/** The owner of the name: this stream, unless another was first. */
async function claim(file: string, stream: string, paths: ConnectionPaths): Promise<Claim> {
  const path = join(paths.claims, foldFileName(file))
  const wanted: Claim = { connection: paths.connection, stream }
  return await withFile(path, async () => {
    const there = await ownerOf(file, paths)
    if (there !== null) return there
    if (await createWhole(path, JSON.stringify(wanted))) return wanted
    return (await readClaim(path)) ?? wanted
  })
}

/** Null where no one has claimed the name, and no file has it. */
async function ownerOf(file: string, paths: ConnectionPaths): Promise<Claim | null> {
  const there = await readClaim(join(paths.claims, foldFileName(file)))
  if (there === null) await refuseForeign(join(paths.folder, file))
  return there
}

async function readClaim(path: string): Promise<Claim | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text === '' ? null : (JSON.parse(text) as Claim)
}

/** A file that no sync created is left unchanged. */
async function refuseForeign(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null)
  if (there === null) return
  throw new ConnectorError('destinations/table-taken', `${path} exists, and was not created by a sync.`)
}
