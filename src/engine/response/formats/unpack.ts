/** Compressed bytes, piece by piece → the same, decompressed. */
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { gatherChunks } from '../gather.ts'
import { isGzip } from './is-gzip.ts'
import { FormatError } from './item-parser.ts'

/** The bytes of a body as they come. */
export type Chunks = AsyncIterable<Uint8Array>

/** Airbyte: what is not gzip, although it should be, is taken as it is. Several gzip files in a row are one. */
export async function* gunzipIfPacked(chunks: Chunks): Chunks {
  const { start, all } = await withStart(chunks, 2)
  yield* isGzip(start) ? through(createGunzip(), all) : all
}

/** RFC 9110 wraps deflate in zlib; some servers do not. */
export async function* inflated(chunks: Chunks): Chunks {
  const { start, all } = await withStart(chunks, 1)
  if (start.length > 0) yield* through(isZlibWrapped(start) ? createInflate() : createInflateRaw(), all)
}

export async function* unbrotlied(chunks: Chunks): Chunks {
  const { start, all } = await withStart(chunks, 1)
  if (start.length > 0) yield* through(createBrotliDecompress(), all)
}

/** Deflate without any wrapping, as zip files hold it. */
export function inflatedRaw(chunks: Chunks): Chunks {
  return through(createInflateRaw(), chunks)
}

/** Eight in the low half of the first byte is zlib's method. */
export function isZlibWrapped(start: Uint8Array): boolean {
  return ((start[0] ?? 0) & 0x0f) === 8
}

/** Reads until that many bytes are known, or all there are; `all` has them again. */
export async function withStart(chunks: Chunks, length: number): Promise<{ start: Uint8Array; all: Chunks }> {
  const source = chunks[Symbol.asyncIterator]()
  let start: Uint8Array = new Uint8Array()
  while (start.length < length) {
    const { done, value } = await source.next()
    if (done) break
    start = start.length === 0 ? value : Buffer.concat([start, value])
  }
  return { start, all: resumed(start, source) }
}

/** Not a generator: one that waits for bytes could not be ended before they come. */
function resumed(start: Uint8Array, source: AsyncIterator<Uint8Array>): Chunks {
  let isFirst = start.length > 0
  const chunks: AsyncIterableIterator<Uint8Array> = {
    async next() {
      if (!isFirst) return await source.next()
      isFirst = false
      return { done: false, value: start }
    },
    async return() {
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => chunks,
  }
  return chunks
}

/** Unpacks no more than the reader takes, and an error of either side ends both. */
async function* through(unpacker: Transform, chunks: Chunks): Chunks {
  pipeline(Readable.from(chunks), unpacker, () => {})
  yield* unpacker as AsyncIterable<Uint8Array>
}

/** All of them as one, within a limit. */
export async function collected(chunks: Chunks, maxBytes: number): Promise<Uint8Array> {
  const gathered = gatherChunks(null)
  for await (const chunk of chunks) {
    if (gathered.length() + chunk.length > maxBytes)
      throw new FormatError(`it is larger than the limit of ${maxBytes} bytes`, { isTooLarge: true })
    gathered.add(chunk)
  }
  return gathered.whole()
}
