/** A stream that has no file yet → the name of its file, which no other stream or connection gets. */
import { lstat, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectorError } from '../../std/errors.ts'
import { createWhole } from '../create-whole.ts'
import { withFile } from '../file-errors.ts'
import { chooseFileName, foldFileName } from '../file-name.ts'
import { extension, type Places } from './places.ts'

type Claim = { readonly connection: string; readonly stream: string }

/** @param own the names of the connection's tables that there are. */
export async function claimTable(stream: string, own: readonly string[], places: Places): Promise<string> {
  const taken = new Set(own.map(foldFileName))
  await withFile(places.claims, async () => await mkdir(places.claims, { recursive: true }))
  for (;;) {
    const file = chooseFileName(stream, (folded) => taken.has(folded + extension)) + extension
    const owner = await claim(file, stream, places)
    if (owner.connection !== places.connection) {
      const message = `${join(places.folder, file)} is a table of another connection, ${JSON.stringify(owner.connection)}.`
      throw new ConnectorError('destinations/table-taken', message)
    }
    if (owner.stream === stream) return file
    // A stream of ours whose first commit never came has claimed it; it will be back.
    taken.add(foldFileName(file))
  }
}

/** Whose it is: ours, unless somebody came first. */
async function claim(file: string, stream: string, places: Places): Promise<Claim> {
  const path = join(places.claims, foldFileName(file))
  const wanted: Claim = { connection: places.connection, stream }
  return await withFile(path, async () => {
    const there = await readClaim(path)
    if (there !== null) return there
    await refuseForeign(join(places.folder, file))
    if (await createWhole(path, JSON.stringify(wanted))) return wanted
    return (await readClaim(path)) ?? wanted
  })
}

async function readClaim(path: string): Promise<Claim | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text === '' ? null : (JSON.parse(text) as Claim)
}

/** A file that nobody here made is left alone. */
export async function refuseForeign(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null)
  if (there === null) return
  throw new ConnectorError('destinations/table-taken', `${path} is there, and no sync has made it.`)
}
