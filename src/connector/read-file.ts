/** A path inside a connector's folder → the text of the file there. */
import { readFile, realpath } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'

/** Null when there is no such file. Whatever way a path takes, it ends inside the folder or is refused. */
export async function readConnectorFile(folder: string, path: string, at?: SourceLocation): Promise<string | null> {
  const home = await realpath(folder).catch(() => resolve(folder))
  const asked = join(home, path)
  if (!asked.startsWith(home + sep)) throw outside(path, at)
  try {
    const real = await realpath(asked)
    if (!real.startsWith(home + sep)) throw outside(path, at)
    return await readFile(real, 'utf8')
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new ConnectorError('records/schema-file', `${path} cannot be read (${code ?? String(cause)}).`, { at, cause })
  }
}

function outside(path: string, at: SourceLocation | undefined): ConnectorError {
  const hint = "Keep it inside the connector's folder."
  return new ConnectorError('records/schema-file', `${path} leads outside the connector's folder.`, { at, hint })
}
