/** The manifest in a connector's folder: find it, read it with its version, replace it. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestNames } from '../../connector/load-manifest.ts'
import { replaceFile } from '../../std/disk/durable.ts'
import { errorCode } from '../../std/disk/disk-error.ts'
import { ConnectorError } from '../../std/errors.ts'
import { ifExists } from './disk-errors.ts'

export type ManifestFile = {
  /** `manifest.yaml`, or another accepted name. */
  readonly file: string
  readonly bytes: Buffer
  readonly version: string
  readonly changedAt: Date
  /** File permissions. */
  readonly mode: number
}

/** The size limit of requests: what can be opened can be saved. */
const maxBytes = 16 * 1024 * 1024

/** Links are not followed; opening a named pipe does not block. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The same text always has the same version. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** The manifest of a folder; null where it holds none. */
export async function readManifestFile(folder: string): Promise<ManifestFile | null> {
  for (const file of manifestNames) {
    const opened = await ifExists(openFile(join(folder, file), file))
    if (opened === null) continue
    try {
      return await read(opened, file)
    } finally {
      await opened.close()
    }
  }
  return null
}

async function openFile(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, openFlags)
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw unreadable(`${file} is a symbolic link.`)
    throw error
  }
}

async function read(opened: FileHandle, file: string): Promise<ManifestFile> {
  const found = await opened.stat()
  if (!found.isFile()) throw unreadable(`${file} is not a file.`)
  if (found.size > maxBytes) throw unreadable(`${file} is larger than 16 MB.`)
  const bytes = await opened.readFile()
  return { file, bytes, version: versionOf(bytes), changedAt: found.mtime, mode: found.mode & 0o777 }
}

/**
 * @param draftsIn a folder that git ignores, so that a crash leaves nothing to be committed.
 */
export async function writeManifestFile(
  folder: string,
  bytes: Buffer,
  before: ManifestFile | null,
  draftsIn: string,
): Promise<void> {
  await replaceFile(join(folder, before?.file ?? manifestNames[0]), bytes, { mode: before?.mode, draftsIn })
}

/** Rejects text that is not UTF-8: saving it would change other parts of the file. */
export function manifestFileText({ bytes, file }: Pick<ManifestFile, 'bytes' | 'file'>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw unreadable(`${file} is not UTF-8 text.`, cause)
  }
}

export function manifestBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  throw new ConnectorError('server/invalid-request', 'The text contains an incomplete character (a lone surrogate).')
}

function unreadable(message: string, cause?: unknown): ConnectorError {
  return new ConnectorError('server/unreadable', message, { cause })
}
