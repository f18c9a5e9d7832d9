import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { pieces, zipMembers } from '../../../../src/engine/response/formats/zip.ts'

const text = 'id,name\n1,Ada\n'.repeat(20)

async function filesIn(archive: Uint8Array): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const file of zipMembers(archive)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of file.bytes()) chunks.push(chunk)
    files[file.name] = Buffer.concat(chunks).toString()
  }
  return files
}

const directoryEntry = (archive: Uint8Array) => Buffer.from(archive).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))

test('zip: the files of an archive, packed or stored, without its folders', async () => {
  const archive = zipSync({ 'a/': new Uint8Array(), 'a/b.csv': strToU8(text), 'c.csv': [strToU8(text), { level: 0 }] })
  assert.deepEqual(await filesIn(archive), { 'a/b.csv': text, 'c.csv': text })
})

test('zip: a name of any length is skipped, to the byte', async () => {
  for (const name of ['a', 'a'.repeat(255), 'a'.repeat(256), 'a'.repeat(300)]) {
    assert.deepEqual(await filesIn(zipSync({ [name]: strToU8(text) })), { [name]: text })
  }
})

test('zip: a file that is longer, shorter or other than the archive says is damaged', async () => {
  for (const [field, change] of [
    [24, 1],
    [24, -1],
    [16, 1],
  ] as const) {
    const archive = Buffer.from(zipSync({ 'a.csv': strToU8(text) }))
    const at = directoryEntry(archive) + field
    archive.writeUInt32LE((archive.readUInt32LE(at) + change) >>> 0, at)
    await assert.rejects(filesIn(archive), /the file "a\.csv" in it is damaged/)
  }
})

test('zip: sizes of 64 bits are found among other extra fields', async () => {
  const plain = Buffer.from(zipSync({ 'a.csv': strToU8(text) }))
  const [entry, end] = [directoryEntry(plain), plain.length - 22]
  const large = Buffer.alloc(4 + 8)
  large.writeUInt16LE(1, 0)
  large.writeUInt16LE(8, 2)
  large.writeBigUInt64LE(BigInt(text.length), 4)
  const other = Buffer.from([0x99, 0x99, 3, 0, 1, 2, 3])
  const extra = Buffer.concat([other, large])
  const directory = Buffer.concat([plain.subarray(entry, end), extra])
  directory.writeUInt32LE(0xffffffff, 24)
  directory.writeUInt16LE(extra.length, 30)
  const ending = Buffer.from(plain.subarray(end))
  ending.writeUInt32LE(directory.length, 12)
  assert.deepEqual(await filesIn(Buffer.concat([plain.subarray(0, entry), directory, ending])), { 'a.csv': text })
})

/** The archive with its directory listed by a record of 64 bits, as one of more than 65,535 files has it. */
function withLargeEnd(plain: Buffer): Buffer {
  const end = plain.length - 22
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(plain.readUInt16LE(end + 10)), 24)
  record.writeBigUInt64LE(BigInt(plain.readUInt16LE(end + 10)), 32)
  record.writeBigUInt64LE(BigInt(plain.readUInt32LE(end + 12)), 40)
  record.writeBigUInt64LE(BigInt(plain.readUInt32LE(end + 16)), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(end), 8)
  locator.writeUInt32LE(1, 16)
  const ending = Buffer.from(plain.subarray(end))
  ending.fill(0xff, 8, 20)
  return Buffer.concat([plain.subarray(0, end), record, locator, ending])
}

test('zip: a directory of 64 bits is found, with as many files as it says', async () => {
  const plain = Buffer.from(zipSync({ 'a.csv': strToU8(text), 'b.csv': strToU8('x') }))
  assert.deepEqual(await filesIn(withLargeEnd(plain)), { 'a.csv': text, 'b.csv': 'x' })
})

test('zip: a directory of 64 bits that lies elsewhere is damaged', async () => {
  const archive = withLargeEnd(Buffer.from(zipSync({ 'a.csv': strToU8(text) })))
  const locator = archive.length - 22 - 20
  for (const change of [1n, 100n]) {
    const moved = Buffer.from(archive)
    moved.writeBigUInt64LE(archive.readBigUInt64LE(locator + 8) + change, locator + 8)
    await assert.rejects(filesIn(moved), /the zip archive is damaged/)
  }
})

test('zip: bytes in front of the archive are skipped', async () => {
  const archive = Buffer.concat([Buffer.from('#!/bin/sh\n'), zipSync({ 'a.csv': strToU8(text) })])
  assert.deepEqual(await filesIn(archive), { 'a.csv': text })
})

const plainZip = () => Buffer.from(zipSync({ 'a.csv': strToU8(text) }))
const endOf = (archive: Buffer) => archive.length - 22

/** The archive with other bytes in the directory's entry of its file, counted from the start of that. */
function withField(field: number, value: number, archive = plainZip()): Buffer {
  const at = directoryEntry(archive) + field
  if (field < 16 || (field > 27 && field < 38)) archive.writeUInt16LE(value, at)
  else archive.writeUInt32LE(value, at)
  return archive
}

test('zip: an archive may have no file, and comments and extra fields anywhere', async () => {
  assert.deepEqual(await filesIn(zipSync({})), {})
  const options = { comment: 'about it', extra: { 0x9999: new Uint8Array(9) } }
  const archive = zipSync({ 'a.csv': [strToU8(text), options], 'b.csv': [strToU8('x'), options] })
  assert.deepEqual(await filesIn(archive), { 'a.csv': text, 'b.csv': 'x' })
})

test('zip: a comment behind the archive has 65,535 bytes at most', async () => {
  assert.deepEqual(await filesIn(Buffer.concat([plainZip(), Buffer.alloc(65_535)])), { 'a.csv': text })
  await assert.rejects(filesIn(Buffer.concat([plainZip(), Buffer.alloc(65_536)])), /it is not a zip archive/)
})

test('zip: a name is in UTF-8 where its flag says so, else in Latin-1', async () => {
  const archive = Buffer.from(zipSync({ 'é.csv': strToU8(text) }))
  assert.deepEqual(await filesIn(archive), { 'é.csv': text })
  assert.deepEqual(await filesIn(withField(8, 0, archive)), { 'Ã©.csv': text })
  await assert.rejects(filesIn(withField(8, 1, archive)), /the file "Ã©\.csv" in it is encrypted/)
  assert.deepEqual(await filesIn(withField(8, 2, archive)), { 'Ã©.csv': text })
})

test('zip: files that overlap each other are refused', async () => {
  const archive = Buffer.from(zipSync({ 'a.csv': [strToU8(text), { level: 0 }] }))
  const [entry, end] = [directoryEntry(archive), endOf(archive)]
  const twice = Buffer.concat([archive.subarray(0, end), archive.subarray(entry)])
  twice.writeUInt16LE(2, endOf(twice) + 10)
  twice.writeUInt32LE(2 * (end - entry), endOf(twice) + 12)
  await assert.rejects(filesIn(twice), /its files overlap each other/)
})

test('zip: whatever lies outside of the archive is damaged', async () => {
  const { length } = plainZip()
  const damaged = [
    // Offsets of the file: before the start, and after the end.
    plainZip().subarray(1),
    withField(42, length - 29),
    withField(42, length - 3),
    withField(42, length + 5),
    // As long as all of the archive, of which the file is a part.
    withField(20, length),
  ]
  const more = withField(32, 0xffff)
  more.writeUInt16LE(2, endOf(more) + 10)
  const negative = plainZip()
  negative.writeUInt32LE(length, endOf(negative) + 12)
  for (const archive of [...damaged, more, negative])
    await assert.rejects(filesIn(archive), /the zip archive is damaged/)
})

test('zip: a directory with more files than it has is damaged', async () => {
  const archive = plainZip()
  archive.writeUInt16LE(2, endOf(archive) + 10)
  await assert.rejects(filesIn(archive), /the zip archive is damaged/)
})

test('zip: no byte is handed over beyond what the archive says of the file', async () => {
  const archive = withField(24, 10)
  const seen: number[] = []
  const reading = async () => {
    for (const file of zipMembers(archive)) for await (const chunk of file.bytes()) seen.push(chunk.length)
  }
  await assert.rejects(reading(), /"a\.csv" in it is damaged/)
  assert.deepEqual(seen, [])
})

test('zip: bytes come in pieces of 64 KiB', async () => {
  const lengthsOf = async (length: number) => {
    const lengths: number[] = []
    for await (const piece of pieces(new Uint8Array(length))) lengths.push(piece.length)
    return lengths
  }
  assert.deepEqual(await lengthsOf(0), [])
  assert.deepEqual(await lengthsOf(65_536), [65_536])
  assert.deepEqual(await lengthsOf(131_073), [65_536, 65_536, 1])
})

test('zip: an archive that ends within its last record is none', async () => {
  const archive = plainZip()
  for (const missing of [1, 10, 21])
    await assert.rejects(filesIn(archive.subarray(0, archive.length - missing)), /it is not a zip archive/)
})

test('zip: length, packed length and place may all be numbers of 64 bits', async () => {
  const content = 'x'.repeat(256)
  const plain = Buffer.from(zipSync({ 'a.csv': [strToU8(content), { level: 0 }] }))
  const [entry, end] = [directoryEntry(plain), endOf(plain)]
  const extra = Buffer.alloc(4 + 24)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  for (const [index, value] of [256n, 256n, 0n].entries()) extra.writeBigUInt64LE(value, 4 + 8 * index)
  const directory = Buffer.concat([plain.subarray(entry, end), extra])
  for (const field of [20, 24, 42]) directory.writeUInt32LE(0xffffffff, field)
  directory.writeUInt16LE(extra.length, 30)
  const ending = Buffer.from(plain.subarray(end))
  ending.writeUInt32LE(directory.length, 12)
  assert.deepEqual(await filesIn(Buffer.concat([plain.subarray(0, entry), directory, ending])), { 'a.csv': content })
})
