/** An error of the file system → its reason in words. */

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would become larger than the system allows',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is missing',
  EPERM: 'permission is missing',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'the path is too long',
  EIO: 'the disk reports an error',
}

/** `the disk is full (ENOSPC)`; null for an error that is not the system's. */
export function describeDiskError(error: unknown): string | null {
  const code = errorCode(error)
  if (code === undefined) return null
  // Node's own words are `ENOTEMPTY: directory not empty, rename '…'`; which file it was, the caller knows better.
  const [, words = 'the system refuses'] = /^\w+: ([^,]+)/.exec((error as Error).message) ?? []
  return `${reasons[code] ?? words} (${code})`
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return error instanceof Error && typeof code === 'string' ? code : undefined
}

/** Whether a folder could not be moved because there is one of that name. */
export function isPathTaken(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY'].includes(String(errorCode(error)))
}
