import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { zipMembers } from '../../../../src/engine/response/formats/zip.ts'

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
