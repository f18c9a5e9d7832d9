/** What is read, and how often. Every reader gets the same job. */
import { isOpen, type Shape, schemaOf } from './records.ts'

export const readerNames = [
  'turnleaf',
  'turnleaf-off',
  'undici',
  'got',
  'dlt',
  'dlt-parquet',
  'singer-sdk',
  'airbyte-cdk',
] as const
export type ReaderName = (typeof readerNames)[number]

/** As people know them. */
export const readerTitles: Readonly<Record<ReaderName, string>> = {
  turnleaf: 'Turnleaf',
  'turnleaf-off': 'Turnleaf, prefetch off',
  undici: 'bare undici loop',
  got: 'got',
  dlt: 'dlt',
  'dlt-parquet': 'dlt, told to load Parquet files',
  'singer-sdk': 'singer-sdk',
  'airbyte-cdk': 'airbyte-cdk',
}

export type Workload = {
  readonly name: string
  /** What chooses it on the command line. */
  readonly group: string
  readonly title: string
  readonly shape: Shape
  readonly streams: number
  /** null: streams have no slices. */
  readonly slices: number | null
  /** Of each slice, or of each stream without slices. */
  readonly pages: number
  readonly latencyMs: number
  readonly goal: 'read' | 'write' | 'start'
  /** Reads before the first round that counts. */
  readonly warmUps: number
  readonly rounds: number
  readonly readers: readonly ReaderName[]
  /** How much faster Turnleaf should be, by reader; where `goal` is `start`, at most which part of its time. */
  readonly targets: Partial<Record<ReaderName, number>>
}

export const pageSize = 100

const usual = {
  shape: 'plain',
  streams: 1,
  slices: null,
  latencyMs: 0,
  goal: 'read',
  warmUps: 1,
  rounds: 3,
  targets: {},
} as const

/** V8 compiles the code of a read over the first four of this size: their times are printed. */
const compiled = { warmUps: 4, rounds: 5 }

const everyone = readerNames.filter((name) => name !== 'dlt-parquet')
const sequentialIsPointless = everyone.filter((name) => name !== 'turnleaf-off')

export const workloads: readonly Workload[] = [
  {
    ...usual,
    ...compiled,
    name: 'read',
    group: 'read',
    title: 'Reading, responses at once',
    pages: 1000,
    readers: everyone,
    targets: { 'airbyte-cdk': 8, dlt: 3 },
  },
  {
    ...usual,
    name: 'latency-20',
    group: 'latency',
    title: 'Reading, responses after 20 ms',
    pages: 200,
    latencyMs: 20,
    readers: everyone,
  },
  {
    ...usual,
    name: 'latency-100',
    group: 'latency',
    title: 'Reading, responses after 100 ms',
    pages: 200,
    latencyMs: 100,
    readers: everyone,
    targets: { 'airbyte-cdk': 12, dlt: 12 },
  },
  {
    ...usual,
    ...compiled,
    name: 'transform',
    group: 'transform',
    title: 'Wide records, filtered and transformed',
    shape: 'wide',
    pages: 200,
    readers: everyone,
  },
  {
    ...usual,
    name: 'slices',
    group: 'slices',
    title: 'Slices, responses after 20 ms',
    slices: 200,
    pages: 2,
    latencyMs: 20,
    readers: sequentialIsPointless,
  },
  {
    ...usual,
    name: 'streams',
    group: 'streams',
    title: 'Streams of one connector, responses after 20 ms',
    streams: 20,
    pages: 10,
    latencyMs: 20,
    readers: sequentialIsPointless,
  },
  {
    ...usual,
    name: 'duckdb',
    group: 'duckdb',
    title: 'Into a DuckDB file',
    pages: 1000,
    goal: 'write',
    readers: ['turnleaf', 'dlt', 'dlt-parquet'],
    targets: { dlt: 20 },
  },
  {
    ...usual,
    name: 'start',
    group: 'start',
    title: 'Process start to first record',
    pages: 10,
    goal: 'start',
    rounds: 5,
    readers: sequentialIsPointless,
    targets: { 'airbyte-cdk': 0.2 },
  },
]

/** Small enough to try everything in a minute; too small to say whether an aim is met. */
export function quick(workload: Workload): Workload {
  const { pages, slices, streams, latencyMs } = workload
  return {
    ...workload,
    pages: Math.min(pages, latencyMs > 0 ? 10 : 40),
    slices: slices === null ? null : Math.min(slices, 20),
    streams: Math.min(streams, 5),
    warmUps: 1,
    rounds: 1,
    targets: {},
  }
}

/** What is read before it counts: all of it, so that each reader's code is as fast as it gets, unless that would only be waiting. */
export function warmUp(workload: Workload): Workload {
  return workload.latencyMs > 0 ? quick(workload) : workload
}

/** What a reader is told. */
export type Job = {
  readonly name: string
  readonly url: string
  /** A YAML file. */
  readonly manifest: string
  readonly shape: Shape
  readonly schema: object
  readonly streams: readonly string[]
  readonly slices: readonly string[] | null
  readonly pageSize: number
  /** Records of each part, before any filter. */
  readonly total: number
  readonly parameters: Readonly<Record<string, string>>
  readonly highestId: number
  readonly database: string | null
}

/** The last page is half full, so that every way to notice the end requests the same pages. */
export function totalOf({ pages }: Workload): number {
  return pages * pageSize - pageSize / 2
}

export function streamNames({ streams }: Workload): string[] {
  return streams === 1 ? ['items'] : Array.from({ length: streams }, (_, index) => `items_${index}`)
}

export function sliceNames({ slices }: Workload): string[] | null {
  return slices === null ? null : Array.from({ length: slices }, (_, index) => String(index))
}

export function jobOf(workload: Workload, given: { url: string; manifest: string; database: string | null }): Job {
  const { name, shape, latencyMs } = workload
  const total = totalOf(workload)
  return {
    ...given,
    name,
    shape,
    schema: schemaOf(shape),
    streams: streamNames(workload),
    slices: sliceNames(workload),
    pageSize,
    total,
    parameters: { total: String(total), ...(latencyMs > 0 && { delay: String(latencyMs) }) },
    highestId: total * partsOf(workload),
  }
}

function partsOf({ streams, slices }: Workload): number {
  return slices ?? streams
}

/** How many records a reader must give, no more and no less. */
export function expectedRecords(workload: Workload): number {
  const all = totalOf(workload) * partsOf(workload)
  if (workload.shape === 'plain') return all
  return Array.from({ length: all }, (_, index) => index + 1).filter(isOpen).length
}
