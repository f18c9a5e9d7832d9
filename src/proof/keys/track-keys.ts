/** The records of one slice, page by page → how many primary keys received more than once, in bounded space. */
import { keyTexts, hashKey, type KeyPaths } from '../../engine/pagination/record-key.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { Hash } from '../../std/hashing/hash.ts'
import { Batch } from '../../std/hashing/hash-table.ts'
import { filterErrorRate } from '../../std/hashing/seen-filter.ts'
import { assumedKey } from '../../engine/pagination/assumed-key.ts'
import { type KeyMemory, openKeyMemory, type SeenKey } from './key-memory.ts'
import { printOf } from './record-print.ts'

export type KeyCounts = {
  /** Different keys that came. */
  readonly unique: number
  /** Records whose key came on an earlier page, for certain. */
  readonly repeated: number
  /** Those of them that differ: changed during the read, which is no fault. */
  readonly changed: number
  /** Records that equal another one of their own page, key and all. */
  readonly alike: number
  /** Records that share their key with another, different one of their own page. */
  readonly clashing: number
  /** Records whose key came before in all probability: see `errorRate`. */
  readonly probable: number
  /** The first page, from 1, that brought nothing but records of earlier pages; null when there was none. */
  readonly repeatedPage: number | null
  /** The first few keys that came again with a record that was the same, or that two records of a page share. */
  readonly examples: readonly RepeatedKey[]
  /** Whether the key is unique. If not, keys of earlier pages show nothing and are not counted. */
  readonly isKey: boolean
  /** Whether the stream has no primary key, and a field is used as one: `id`, different on each record of a page. */
  readonly isAssumed: boolean
  /** Whether every key was remembered as it is. */
  readonly isExact: boolean
  /** The share of new keys that may be taken for `probable` ones; 0 while all are remembered as they are. */
  readonly errorRate: number
  /** Records whose key was neither known nor remembered: there were more keys than fit. */
  readonly uncounted: number
}

export type KeyTracker = {
  /** `page` from 1. The parts of a page are one page. */
  observe(records: readonly JsonRecord[], page: number): void
  /** Null when the stream has no key, named or to be seen. */
  counts(): KeyCounts | null
  /** Forgets the keys, whose space others may need. What was counted stays. */
  release(): void
}

export type KeyOptions = {
  /** One path per field. */
  readonly primaryKey: readonly (readonly string[])[]
  /** The field that changes when a record does. */
  readonly cursorField?: string | undefined
  /** Shared by slices that are read side by side. */
  readonly memory?: KeyMemory
  /** Hides what is secret in keys that are shown. */
  readonly show?: (text: string) => string
}

/** More than one record in ten that shares its key with another of its page: it is no key. */
const toleratedShare = 1 / 10

/**
 * Records of a page that only a filter knows, for the page to count as a repetition: the eight bits that it keeps of each
 * record take four changed ones for the same in one of four billion cases.
 */
const fewestProbable = 4

/** Nothing is stored: after a crash the keys of a slice are unknown, so a resumed read has no counts. */
export function trackKeys({
  primaryKey: named,
  cursorField,
  memory = openKeyMemory(),
  show = asIs,
}: KeyOptions): KeyTracker {
  const keys = memory.open()
  const examples = keepRepeatedKeys(show)
  const total = { unique: 0, repeated: 0, changed: 0, alike: 0, clashing: 0, probable: 0, uncounted: 0 }
  let primaryKey = named
  let current = beginPage(0)
  let repeatedPage: number | null = null

  const countSeen = (seen: SeenKey, record: JsonRecord, page: number) => {
    if (seen.kind === 'uncounted') {
      total.uncounted++
      return
    }
    if (!seen.isChanged) current.again++
    if (seen.kind === 'probable') {
      total.probable++
      current.probable++
      return
    }
    const isSame = !seen.isChanged
    if (seen.page === page) total[isSame ? 'alike' : 'clashing']++
    else total.repeated++
    if (seen.page !== page && !isSame) total.changed++
    else examples.add(() => keyTexts(record, primaryKey), { page, earlier: seen.page, isSame })
  }
  return {
    observe(records, page) {
      if (named.length === 0 && total.unique === 0) primaryKey = assumedKey(records)
      if (primaryKey.length === 0) return
      if (page !== current.page) {
        if (isRepetition(current)) repeatedPage ??= current.page
        current = beginPage(page)
      }
      current.records += records.length
      forEachBatch(records, { paths: primaryKey, seed: keys.seed, cursorField, batch: memory.batch }, (batch) => {
        if (batch.length === 0) return
        current.firstKey ??= batch.lows[0] as number
        current.isVaried ||= hasOther(batch, current.firstKey)
        total.unique += batch.length
        keys.see(batch, page, (row, seen) => {
          total.unique--
          countSeen(seen, records[row] as JsonRecord, page)
        })
      })
    },
    counts() {
      if (primaryKey.length === 0) return null
      const isKey = total.alike + total.clashing <= total.unique * toleratedShare
      const none = { repeated: 0, changed: 0, probable: 0, repeatedPage: null }
      const isExact = !keys.usesFilter()
      return {
        ...total,
        repeatedPage: repeatedPage ?? (isRepetition(current) ? current.page : null),
        ...(isKey ? {} : none),
        examples: examples.list(),
        isKey,
        isAssumed: named.length === 0,
        isExact,
        errorRate: isExact ? 0 : filterErrorRate,
      }
    },
    release: () => keys.release(),
  }
}

const asIs = (text: string) => text

/** What is known of the page under way. `again`: records that came before and were the same. */
function beginPage(page: number) {
  return { page, records: 0, again: 0, probable: 0, firstKey: null as number | null, isVaried: false }
}

function hasOther({ length, lows }: Batch, key: number): boolean {
  for (let index = 0; index < length; index++) if (lows[index] !== key) return true
  return false
}

/** One record may come again alone, because it was changed in between or is all there is; so may rows that are all alike. */
function isRepetition({ records, again, probable, isVaried }: ReturnType<typeof beginPage>): boolean {
  return isVaried && again === records && (probable === 0 || records >= fewestProbable)
}

type KeyRules = {
  readonly paths: KeyPaths
  readonly seed: number
  readonly cursorField: string | undefined
  readonly batch: Batch
}

/** Records → the hashes of their keys, each marked with the print of its record, a batch at a time. A row is the index of a record. */
function forEachBatch(
  records: readonly JsonRecord[],
  { paths, seed, cursorField, batch }: KeyRules,
  visit: (batch: Batch) => void,
): void {
  const hash = new Hash()
  for (let first = 0; first < records.length; first += Batch.capacity) {
    const end = Math.min(first + Batch.capacity, records.length)
    batch.length = 0
    for (let row = first; row < end; row++) {
      const record = records[row] as JsonRecord
      const key = hashKey(hash, record, paths, seed)
      if (key !== null) batch.add(key, printOf(record, cursorField), row)
    }
    visit(batch)
  }
}

/** One of the first few keys that were repeated, with its pages: evidence that people can check. */
type RepeatedKey = {
  /** As people write it: `42`, or `eu, 42` for a key of two fields. Cut when it is long, and without secrets. */
  readonly key: string
  readonly page: number
  /** The page that had it before; the same number when two records of one page have it. */
  readonly earlier: number
  /** Whether the record was the same, too. */
  readonly isSame: boolean
}

/** Of each kind: on one page and equal, on one page and different, on two pages. */
const perKind = 3
const mostRepeatedKeys = 3 * perKind
const longest = 80

/** `show` hides what is secret: a record may echo the credentials of its request. */
function keepRepeatedKeys(show: (text: string) => string) {
  const kept: RepeatedKey[] = []
  return {
    add(values: () => readonly string[], repeat: Omit<RepeatedKey, 'key'>): void {
      const alike = kept.filter((other) => kindOf(other) === kindOf(repeat))
      if (alike.length >= perKind) return
      const key = show(values().join(', '))
      if (alike.some((other) => other.key === key)) return
      kept.push({ key: key.length > longest ? `${key.slice(0, longest)}…` : key, ...repeat })
    },
    list: (): readonly RepeatedKey[] => [...kept],
  }
}

function kindOf({ page, earlier, isSame }: Omit<RepeatedKey, 'key'>): string {
  if (page !== earlier) return 'two pages'
  return isSame ? 'one page' : 'clash'
}

/** The keys of two slices → those of both. A key that both have is two keys: slices may well share records. */
export function addKeys(one: KeyCounts, other: KeyCounts): KeyCounts {
  return {
    unique: one.unique + other.unique,
    repeated: one.repeated + other.repeated,
    changed: one.changed + other.changed,
    alike: one.alike + other.alike,
    clashing: one.clashing + other.clashing,
    probable: one.probable + other.probable,
    repeatedPage: one.repeatedPage ?? other.repeatedPage,
    examples: [...one.examples, ...other.examples].slice(0, mostRepeatedKeys),
    isKey: one.isKey && other.isKey,
    isAssumed: one.isAssumed || other.isAssumed,
    isExact: one.isExact && other.isExact,
    errorRate: Math.max(one.errorRate, other.errorRate),
    uncounted: one.uncounted + other.uncounted,
  }
}
