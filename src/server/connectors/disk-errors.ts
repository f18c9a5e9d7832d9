/** What the system refuses to do in TURNLEAF_HOME → an error that names the connector, and no path of the machine. */
import { errorCode, sayTrouble } from '../../std/disk/trouble.ts'
import { ConnectorError } from '../../std/errors.ts'

/**
 * @param what begins the message: `"shop" cannot be saved`.
 */
export async function onDisk<T>(what: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const trouble = error instanceof ConnectorError ? null : sayTrouble(error)
    if (trouble === null) throw error
    throw new ConnectorError('server/disk', `${what}: ${trouble}.`, { cause: error })
  }
}

/** For what may not be there: null instead of the error. */
export async function ifThere<T>(use: Promise<T>): Promise<T | null> {
  try {
    return await use
  } catch (error) {
    // A file where a folder should be: there is nothing in it either.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null
    throw error
  }
}
