/** Disk errors in TURNLEAF_HOME → errors that name the connector, but no path of the machine. */
import { errorCode, describeDiskError } from '../../std/disk/disk-error.ts'
import { ConnectorError } from '../../std/errors.ts'

/**
 * @param what starts the message: `"shop" cannot be saved`.
 */
export async function onDisk<T>(what: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const trouble = error instanceof ConnectorError ? null : describeDiskError(error)
    if (trouble === null) throw error
    throw new ConnectorError('server/disk', `${what}: ${trouble}.`, { cause: error })
  }
}

/** Null where the file does not exist. */
export async function ifExists<T>(use: Promise<T>): Promise<T | null> {
  try {
    return await use
  } catch (error) {
    // ENOTDIR: a file where a folder should be.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null
    throw error
  }
}
