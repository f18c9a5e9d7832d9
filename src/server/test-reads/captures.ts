/** The pages of the latest test reads, in memory: to show more of them, and to evaluate templates on them. */
import { randomUUID } from 'node:crypto'
import type { Manifest } from '../../engine/manifest/manifest.ts'
import type { Page, UnshownResponse } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { testReadRequest } from '../wire/test-read.ts'
import type { z } from 'zod'
import type { LongText } from './long-text.ts'
import type { WrapNetwork } from '../wrap-network.ts'

export type CapturedPage = {
  readonly slice: Slice
  /** With secrets: shown only through the redactor of the read. */
  readonly response: UnshownResponse
  readonly records: readonly JsonRecord[]
  readonly receivedCount: number
  readonly next: PageToken | null
  /** The body as it is shown. */
  readonly text: LongText
  readonly bytes: number
  /** The page as the engine yielded it, part by part: a read that continues counts it again. */
  readonly parts: readonly Page[]
}

export type CapturedRead = {
  readonly id: string
  /** Null until the stream is open. */
  stream: (Pick<OpenStream, 'plan' | 'config' | 'redactor'> & { readonly manifest: Manifest }) | null
  /** What was requested, to continue after a limit; null while it runs, and where it cannot be continued. */
  rest: RestOfRead | null
}

/** With the secrets of the config: never shown. */
export type RestOfRead = {
  readonly request: z.output<typeof testReadRequest>
  /** The folder of custom classes. */
  readonly folder: string | null
  /** Keeps the secrets of the config to their origins. */
  readonly wrapNetwork: WrapNetwork | undefined
  /** How long the read took so far, in milliseconds. */
  readonly tookMs: number
}

export type Captures = {
  readonly begin: () => CapturedRead
  readonly add: (read: CapturedRead, place: PagePosition, page: CapturedPage) => void
  /** Throws `server/gone` for a page that is no longer kept. */
  readonly find: (id: string, place: PagePosition) => { read: OpenCapture; page: CapturedPage }
  /** Every page, in the order in which they were read; null for a page that is no longer kept. */
  readonly pages: (id: string) => { read: OpenCapture; pages: readonly PlacedPage[] }
}

export type PlacedPage = { readonly position: PagePosition; readonly page: CapturedPage | null }

export type OpenCapture = CapturedRead & { readonly stream: NonNullable<CapturedRead['stream']> }

export type PagePosition = { readonly slice: number; readonly page: number }

/** The size of bodies as received. In memory a page takes twice as much, and more once its text is read. */
const mostBytes = 100 * 1024 * 1024

const mostReads = 20

export function openCaptures(limits: { maxBytes?: number } = {}): Captures {
  const { maxBytes = mostBytes } = limits
  const reads = new Map<string, { read: CapturedRead; pages: Map<string, CapturedPage | null> }>()
  let bytes = 0

  const kept = (id: string) => {
    const { read, pages } = reads.get(id) ?? {}
    if (read === undefined || pages === undefined || read.stream === null) throw gone(`Read ${id} is not kept.`)
    return { read: read as OpenCapture, pages }
  }
  const forget = (pages: Map<string, CapturedPage | null>, place: string) => {
    bytes -= pages.get(place)?.bytes ?? 0
    // Remembers that it existed.
    pages.set(place, null)
  }
  const makeRoom = () => {
    for (const { pages } of reads.values()) {
      for (const place of pages.keys()) {
        if (bytes <= maxBytes) return
        forget(pages, place)
      }
    }
  }
  return {
    begin() {
      const read: CapturedRead = { id: randomUUID(), stream: null, rest: null }
      reads.set(read.id, { read, pages: new Map() })
      for (const [id, { pages }] of reads) {
        if (reads.size <= mostReads) break
        for (const place of pages.keys()) forget(pages, place)
        reads.delete(id)
      }
      return read
    },
    add({ id }, place, page) {
      const pages = reads.get(id)?.pages
      if (pages === undefined) return
      bytes += page.bytes
      makeRoom()
      pages.set(nameOf(place), page)
    },
    find(id, place) {
      const { read, pages } = kept(id)
      const page = pages.get(nameOf(place))
      if (page === null) throw gone(`Page ${place.page} of slice ${place.slice} is not kept.`)
      if (page === undefined) {
        throw new ConnectorError('server/not-found', `The read has no page ${place.page} in slice ${place.slice}.`)
      }
      return { read, page }
    },
    pages(id) {
      const { read, pages } = kept(id)
      return { read, pages: [...pages].map(([name, page]) => ({ position: positionOf(name), page })) }
    },
  }
}

function nameOf({ slice, page }: PagePosition): string {
  return `${slice}/${page}`
}

function positionOf(name: string): PagePosition {
  const [slice, page] = name.split('/')
  return { slice: Number(slice), page: Number(page) }
}

function gone(message: string): ConnectorError {
  return new ConnectorError('server/gone', message)
}
