/** A zip archive, whole → its files, each decompressed piece by piece. */
import { crc32 } from 'node:zlib'
import { FormatError } from './item-parser.ts'
import { type Chunks, inflatedRaw } from './unpack.ts'

type ZipMember = {
  readonly name: string
  /** Throws a `FormatError` when they are not what the archive says. */
  bytes(): Chunks
}

type Entry = {
  readonly name: string
  readonly isEncrypted: boolean
  readonly method: number
  readonly checksum: number
  readonly packedLength: number
  readonly length: number
  readonly at: number
}

/** The files in the order of the archive's directory: what a local header says counts for nothing, as in Python. */
export function zipMembers(archive: Uint8Array): ZipMember[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const entries = entriesOf(bytes).filter(({ name }) => !name.endsWith('/'))
  // Files that lie on top of each other are how a small archive unpacks to petabytes.
  const packed = entries.reduce((sum, { packedLength }) => sum + packedLength, 0)
  if (packed > bytes.length) throw new FormatError('its files overlap each other')
  return entries.map((entry) => ({ name: entry.name, bytes: () => unpacked(bytes, entry) }))
}

const stored = 0
const deflated = 8

async function* unpacked(archive: Buffer, entry: Entry): Chunks {
  const packed = pieces(packedBytes(archive, entry))
  let checksum = 0
  let length = 0
  for await (const chunk of entry.method === stored ? packed : inflatedRaw(packed)) {
    checksum = crc32(chunk, checksum)
    length += chunk.length
    if (length > entry.length) break
    yield chunk
  }
  if (length !== entry.length || checksum !== entry.checksum) {
    throw new FormatError(`the file ${JSON.stringify(entry.name)} in it is damaged`)
  }
}

function packedBytes(archive: Buffer, { name, isEncrypted, method, at, packedLength }: Entry): Buffer {
  const file = `the file ${JSON.stringify(name)} in it`
  if (isEncrypted) throw new FormatError(`${file} is encrypted`)
  if (method !== stored && method !== deflated) throw new FormatError(`${file} is compressed with method ${method}`)
  if (at < 0 || at + localHeader > archive.length || archive.readUInt32LE(at) !== 0x04034b50) throw damaged()
  const start = at + localHeader + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28)
  if (start + packedLength > archive.length) throw damaged()
  return archive.subarray(start, start + packedLength)
}

const pieceLength = 64 * 1024

/** In pieces, so that nothing downstream sees more at once than it would from the network. */
export async function* pieces(bytes: Uint8Array): Chunks {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength)
}

const endRecord = 22
const centralHeader = 46
const localHeader = 30
const longestComment = 0xffff

function entriesOf(archive: Buffer): Entry[] {
  const { count, at, shift } = directoryOf(archive)
  const entries: Entry[] = []
  let next = at
  for (let index = 0; index < count; index++) {
    if (next + centralHeader > archive.length || archive.readUInt32LE(next) !== 0x02014b50) throw damaged()
    const nameEnd = next + centralHeader + archive.readUInt16LE(next + 28)
    const extraEnd = nameEnd + archive.readUInt16LE(next + 30)
    const flags = archive.readUInt16LE(next + 8)
    const [length, packedLength, offset] = sizesOf(archive, next, archive.subarray(nameEnd, extraEnd))
    entries.push({
      name: archive.toString(flags & 0x0800 ? 'utf8' : 'latin1', next + centralHeader, nameEnd),
      isEncrypted: (flags & 1) === 1,
      method: archive.readUInt16LE(next + 10),
      checksum: archive.readUInt32LE(next + 16),
      packedLength,
      length,
      at: offset + shift,
    })
    next = extraEnd + archive.readUInt16LE(next + 32)
  }
  return entries
}

/** Where the list of files is. `shift`: bytes in front of the archive that its own offsets do not count. */
function directoryOf(archive: Buffer): { count: number; at: number; shift: number } {
  const from = Math.max(0, archive.length - endRecord - longestComment)
  const end = archive.subarray(from).lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6])) + from
  if (end < from || end + endRecord > archive.length) throw new FormatError('it is not a zip archive')
  const large = end - 20
  if (large >= 0 && archive.readUInt32LE(large) === 0x07064b50) {
    const record = Number(archive.readBigUInt64LE(large + 8))
    if (record + 56 > archive.length || archive.readUInt32LE(record) !== 0x06064b50) throw damaged()
    const [count, at] = [32, 48].map((field) => Number(archive.readBigUInt64LE(record + field)))
    return { count: count as number, at: at as number, shift: 0 }
  }
  const count = archive.readUInt16LE(end + 10)
  const at = end - archive.readUInt32LE(end + 12)
  if (at < 0) throw damaged()
  return { count, at, shift: at - archive.readUInt32LE(end + 16) }
}

/** Length, packed length and offset: 32 bits each, or 64 in an extra field that has those which do not fit, in order. */
function sizesOf(archive: Buffer, entry: number, extra: Buffer): [number, number, number] {
  const large = largeFields(extra)
  const read = (field: number) => {
    const short = archive.readUInt32LE(entry + field)
    return short === 0xffffffff ? (large.shift() ?? short) : short
  }
  return [read(24), read(20), read(42)]
}

function largeFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const fields = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    return Array.from({ length: Math.floor(fields.length / 8) }, (_, index) =>
      Number(fields.readBigUInt64LE(index * 8)),
    )
  }
  return []
}

function damaged(): FormatError {
  return new FormatError('the zip archive is damaged')
}
