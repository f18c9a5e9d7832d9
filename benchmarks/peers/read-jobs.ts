/**
 * A reader as a process of its own, as read_jobs.py is for Python: each line of standard input is a job, each line it prints says
 * how that went. With a file name as its argument it prints the first record of that one job and ends.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Job } from './workloads.ts'

export type ReadRecord = { readonly id: number; readonly name: string } & Record<string, unknown>
export type Take = (record: ReadRecord) => void
export type Counted = { readonly records: number; readonly distinct: number; readonly changed: number }
export type Answer = Counted & { readonly seconds: number }

/** @param write fills a database, and returns a function that counts what is in it. */
export async function serve(
  read: (job: Job, take: Take) => Promise<void>,
  write?: (job: Job) => Promise<() => Promise<Counted>>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const [file] = args
  if (file !== undefined) await showFirst(read, JSON.parse(readFileSync(file, 'utf8')) as Job)
  const answer = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`)
  answer({ isReady: true })
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line) as Job
    answer(job.database !== null && write !== undefined ? await measureWriting(job, write) : await measure(job, read))
  }
}

async function measure(job: Job, read: (job: Job, take: Take) => Promise<void>): Promise<Answer> {
  const isWide = job.shape === 'wide'
  const ids = new Uint8Array(job.highestId + 1)
  let [records, changed] = [0, 0]
  const started = performance.now()
  await read(job, (record) => {
    records++
    ids[record.id] = 1
    if (isWide && 'label' in record && !('notes' in record)) changed++
  })
  const seconds = (performance.now() - started) / 1000
  return { seconds, records, distinct: ids.reduce((sum, one) => sum + one, 0), changed }
}

async function measureWriting(job: Job, write: (job: Job) => Promise<() => Promise<Counted>>): Promise<Answer> {
  const started = performance.now()
  const count = await write(job)
  const seconds = (performance.now() - started) / 1000
  return { seconds, ...(await count()) }
}

async function showFirst(read: (job: Job, take: Take) => Promise<void>, job: Job): Promise<void> {
  await read(job, ({ name }) => {
    process.stdout.write(`${name}\n`)
    process.exit()
  })
}

/** The addresses of what a job reads, one after the other: for readers that are a loop and no more. */
export function pathsOf({ shape, streams, slices }: Job): string[] {
  return (slices ?? streams.map((_, part) => part)).map((part) => `/${shape}/${part}`)
}

/** The filter and the transformations of the manifest, by hand. null: the filter drops it. */
export function changedByHand({ shape }: Job, record: ReadRecord): ReadRecord | null {
  if (shape === 'plain') return record
  if (record['status'] !== 'open') return null
  const { notes: _notes, nested, ...kept } = record
  const { secret: _secret, ...rest } = nested as Record<string, unknown>
  const label = `${String(record['first'])} ${String(record['last'])}`
  const amount = Number(record['price']) * Number(record['quantity'])
  return { ...(kept as ReadRecord), nested: rest, label, amount }
}
