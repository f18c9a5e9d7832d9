/** The manifest in a connector's folder: found, read with its fingerprint, put in place of another. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestNames } from '../../connector/manifest-names.ts'
import { replaceFile } from '../../std/disk/durable.ts'
import { errorCode } from '../../std/disk/trouble.ts'
import { ConnectorError } from '../../std/errors.ts'
import { ifThere } from './disk-errors.ts'

export type ManifestFile = {
  /** `manifest.yaml`, unless it was there under another of its names. */
  readonly file: string
  readonly bytes: Buffer
  readonly version: string
  readonly changedAt: Date
  /** Who may do what with it. */
  readonly mode: number
}

/** As much as a request may bring: what can be opened can be saved. */
const maxBytes = 16 * 1024 * 1024

/** No links are followed, and nothing is waited for: a pipe that nobody writes to would never answer. */
const plainly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Equal texts have equal versions. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** The manifest of a folder; null where it holds none. */
export async function readManifestFile(folder: string): Promise<ManifestFile | null> {
  for (const file of manifestNames) {
    const opened = await ifThere(openPlainly(join(folder, file), file))
    if (opened === null) continue
    try {
      return await read(opened, file)
    } finally {
      await opened.close()
    }
  }
  return null
}

async function openPlainly(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, plainly)
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw unreadable(`${file} is a link.`)
    throw error
  }
}

async function read(opened: FileHandle, file: string): Promise<ManifestFile> {
  const found = await opened.stat()
  if (!found.isFile()) throw unreadable(`${file} is no file.`)
  if (found.size > maxBytes) throw unreadable(`${file} is larger than 16 MB.`)
  const bytes = await opened.readFile()
  return { file, bytes, version: versionOf(bytes), changedAt: found.mtime, mode: found.mode & 0o777 }
}

/**
 * @param draftsIn a folder that git ignores: a crash leaves nothing that would be committed.
 */
export async function writeManifestFile(
  folder: string,
  bytes: Buffer,
  before: ManifestFile | null,
  draftsIn: string,
): Promise<void> {
  await replaceFile(join(folder, before?.file ?? manifestNames[0]), bytes, { mode: before?.mode, draftsIn })
}

/** A text that would come back changed is refused: saving it would change what nobody touched. */
export function textOf({ bytes, file }: Pick<ManifestFile, 'bytes' | 'file'>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw unreadable(`${file} is not UTF-8 text.`, cause)
  }
}

export function bytesOf(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  throw new ConnectorError('server/invalid-request', 'The text has half a character in it, which no file can hold.')
}

function unreadable(message: string, cause?: unknown): ConnectorError {
  return new ConnectorError('server/unreadable', message, { cause })
}
