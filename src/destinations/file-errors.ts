/** What the system says of a file → what happened, which file, what to do next. */
import { sayTrouble } from '../std/disk/trouble.ts'
import { ConnectorError } from '../std/errors.ts'

/** Does something to a file; what the system refuses becomes `destinations/write-refused` with the file's path. */
export async function withFile<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const trouble = sayTrouble(error)
    if (error instanceof ConnectorError || trouble === null) throw error
    throw new ConnectorError('destinations/write-refused', `${path} cannot be written: ${trouble}.`, { cause: error })
  }
}
