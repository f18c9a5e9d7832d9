/** What the system says of a file → what happened, which file, what to do next. */
import { ConnectorError } from '../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would become larger than the system allows',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is missing',
  EPERM: 'permission is missing',
  ENOTDIR: 'a file stands where a folder is needed',
  EEXIST: 'a file stands where a folder is needed',
  EISDIR: 'a folder stands where a file is needed',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'the path is too long',
  EIO: 'the disk reports an error',
}

/** Does something to a file; what the system refuses becomes `destinations/write-refused` with the file's path. */
export async function withFile<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const code = errorCode(error)
    if (error instanceof ConnectorError || code === undefined) throw error
    const reason = reasons[code] ?? (error as Error).message
    throw new ConnectorError('destinations/write-refused', `${path} cannot be written: ${reason} (${code}).`, {
      cause: error,
    })
  }
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return error instanceof Error && typeof code === 'string' ? code : undefined
}
