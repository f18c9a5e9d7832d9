/** Texts sorted into buckets that are larger than memory together, and small one by one. */
import { open, rm } from 'node:fs/promises'

export type Spill = {
  add(bucket: number, text: string): Promise<void>
  /** What was added to a bucket, in that order; asked for once all is added. */
  read(bucket: number): Promise<string>
  close(): Promise<void>
}

/** What a bucket holds back until it is worth a write. */
const blockLength = 1 << 16

/** One file of blocks, and for each bucket a list of where its blocks stand. */
export async function openSpill(path: string, bucketCount: number): Promise<Spill> {
  const file = await open(path, 'wx+')
  const waiting = Array.from({ length: bucketCount }, () => '')
  const blocks = Array.from({ length: bucketCount }, (): { position: number; length: number }[] => [])
  let end = 0
  return {
    async add(bucket, text) {
      const block = `${waiting[bucket]}${text}`
      waiting[bucket] = block
      if (block.length < blockLength) return
      const bytes = Buffer.from(block)
      waiting[bucket] = ''
      blocks[bucket]?.push({ position: end, length: bytes.length })
      end += bytes.length
      await file.writeFile(bytes)
    },
    async read(bucket) {
      const parts: string[] = []
      for (const { position, length } of blocks[bucket] ?? []) {
        const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
        parts.push(buffer.toString())
      }
      return parts.join('') + (waiting[bucket] ?? '')
    },
    async close() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}
