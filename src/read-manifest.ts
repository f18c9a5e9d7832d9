/** A manifest → its pages or its records, whole: every slice, every page. */
import { type LoadedManifest, requireLoaded } from './connector/load-manifest.ts'
import type { JsonRecord } from './engine/plan/plan.ts'
import type { Page, ReadOptions, ReceiptUse } from './read.ts'
import { eachItem } from './std/each-item.ts'

/**
 * Every page of a stream, with its request, response and records. The last page of each slice carries its receipt.
 *
 * @example for await (const page of readPages(manifest, { stream: 'orders', config })) console.log(page.records.length)
 */
export function readPages(manifest: LoadedManifest, options: ReadOptions = {}): AsyncGenerator<Page> {
  return readManifest(manifest, options, { isJudged: true, showsReceipts: true })
}

/** What reads is loaded with the first read: importing the package, validating or planning need none of it. */
async function* readManifest(manifest: LoadedManifest, options: ReadOptions, how: ReceiptUse): AsyncGenerator<Page> {
  requireLoaded(manifest)
  const { checkReadOptions, openPages, openRunOf } = await import('./read.ts')
  checkReadOptions(options)
  const { run, close } = await openRunOf(manifest, options)
  try {
    yield* await openPages(run, options, how)
  } finally {
    await close()
  }
}

/**
 * Every record of a stream, in the order of its pages.
 *
 * @example for await (const record of readRecords(manifest, { stream: 'orders', config })) console.log(record.id)
 */
export function readRecords(manifest: LoadedManifest, options: ReadOptions = {}): AsyncGenerator<JsonRecord> {
  // Remembering every key has its price, and only a state depends on the receipt here.
  const how = { isJudged: options?.onState !== undefined, showsReceipts: false }
  return eachItem(recordsOf(readManifest(manifest, options, how)))
}

async function* recordsOf(pages: AsyncIterable<Page>): AsyncGenerator<readonly JsonRecord[]> {
  for await (const { records } of pages) yield records
}
