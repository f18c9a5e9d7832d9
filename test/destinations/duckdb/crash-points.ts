/**
 * Program of its own, since it listens to every change: copies the folder after each transaction of DuckDB, and after
 * each change to a file. Every copy is what a kill at that moment would have left; each must be whole when it is
 * opened, and end as if nothing had happened. Prints how many there were; by default, every fourth of them is checked.
 */
import assert from 'node:assert/strict'
import { cpSync, promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DuckDBConnection } from '@duckdb/node-api'
import { someOf } from '../../helpers/proof.ts'
import { countOf, expectedAfter, foundIn, goOn } from '../model.ts'
import { placeAt } from './places.ts'

const [, , kind = '', root = '', seedText = ''] = process.argv
const seed = Number(seedText)
const folder = join(root, 'watched')
const until = 6
let copies = 0
let isWatching = false

function copy(): void {
  if (isWatching) cpSync(folder, join(root, String(copies++)), { recursive: true })
}

type Change = (this: unknown, ...args: unknown[]) => Promise<unknown>

function watch(target: object, name: string, isChange: (first: unknown) => boolean): void {
  const changes = target as Record<string, Change>
  const change = changes[name] as Change
  changes[name] = async function (...args) {
    const result = await change.apply(this, args)
    if (isChange(args[0])) copy()
    return result
  }
}

for (const name of ['mkdir', 'rename', 'rm']) watch(promises, name, () => true)
watch(DuckDBConnection.prototype, 'run', (sql) => sql === 'COMMIT' || String(sql).startsWith('COPY'))
syncBuiltinESMExports()

await promises.mkdir(folder)
isWatching = true
/** In two parts, so that a clean end and a second start are among the moments. */
for (const part of [until / 2, until]) {
  const open = await placeAt(kind, folder).destination.open('shop')
  await goOn(open, seed, part)
  await open.close()
}
isWatching = false

for (const number of someOf([...Array(copies).keys()])) await checkCopy(join(root, String(number)))
console.log(copies)

async function checkCopy(left: string): Promise<void> {
  const place = placeAt(kind, left)
  for (const target of [0, until]) {
    const open = await place.destination.open('shop')
    await goOn(open, seed, target)
    const count = await countOf(open)
    await open.close()
    assert.deepEqual(await foundIn(place), expectedAfter(seed, count, kind === 'parquet'), `${left}, ${count} commits`)
  }
}
