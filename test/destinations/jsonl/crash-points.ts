/**
 * Program of its own, since it listens to every change that is made to a file: copies the folder before each, and in the
 * middle of each write. Every copy is what a kill at that moment would have left; each must be whole when it is opened,
 * and end as if nothing had happened. Prints how many there were.
 */
import { cpSync, promises } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import { assertWhole, goOn } from './operations.ts'

const root = process.argv[2] ?? ''
const folder = join(root, 'watched')
const until = 10
let copies = 0
let isWatching = false

function copy(): void {
  if (!isWatching) return
  cpSync(folder, join(root, String(copies++)), { recursive: true })
}

type Change = (this: unknown, ...args: unknown[]) => Promise<unknown>

function watch(target: object, name: string, around: (change: Change) => Change): void {
  const changes = target as Record<string, Change>
  const change = changes[name]
  if (change === undefined) throw new Error(`there is no ${name}`)
  changes[name] = around(change)
}

const copyFirst = (change: Change): Change =>
  async function (...args) {
    copy()
    return await change.apply(this, args)
  }

for (const name of ['mkdir', 'rename', 'rm', 'link', 'truncate', 'writeFile']) watch(promises, name, copyFirst)
watch(
  promises,
  'open',
  (change) =>
    async function (path, flags) {
      // Others only open what is there.
      if (String(flags).includes('w')) copy()
      return await change.call(this, path, flags)
    },
)
syncBuiltinESMExports()

const probe = await open(fileURLToPath(import.meta.url))
const handles = Object.getPrototypeOf(probe) as FileHandle
await probe.close()
watch(handles, 'truncate', copyFirst)
watch(
  handles,
  'appendFile',
  (change) =>
    async function (chunk) {
      const bytes = chunk as Buffer
      const middle = bytes.length >> 1
      await change.call(this, bytes.subarray(0, middle))
      copy()
      await change.call(this, bytes.subarray(middle))
    },
)
watch(
  handles,
  'write',
  (change) =>
    async function (bytes, from, length, position) {
      const isLong = (length as number) > 100
      const written = await change.call(this, bytes, from, isLong ? 100 : length, position)
      if (isLong) copy()
      return written
    },
)

/** In two parts, so that a clean end and a second start are among the moments. */
await promises.mkdir(folder)
isWatching = true
for (const part of [until / 2, until]) {
  const opened = await jsonlDestination(folder).open('shop')
  await goOn(opened, part)
  await opened.close()
}
isWatching = false

// Several at a time: most of it is waiting for the disk.
let next = 0
async function checkCopies(): Promise<void> {
  while (next < copies) await checkCopy(join(root, String(next++)))
}
await Promise.all(Array.from({ length: 8 }, checkCopies))
console.log(copies)

async function checkCopy(left: string): Promise<void> {
  await removeLocks(left)
  await assertWhole(jsonlDestination(left), left)
  const opened = await jsonlDestination(left).open('shop')
  await goOn(opened, until)
  await opened.close()
  await assertWhole(jsonlDestination(left), left)
}

/** They name this process, which lives. */
async function removeLocks(left: string): Promise<void> {
  const own = join(left, '_turnleaf', 'connections', 'shop')
  for (const name of await readdir(own).catch(() => [])) if (name.startsWith('lock-')) await rm(join(own, name))
}
