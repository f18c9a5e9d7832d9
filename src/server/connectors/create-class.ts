/** A class that a manifest names → its file in the folder of the connector, with a class that works as it is. */
import { readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { withSkeleton } from '../../connector/class-skeleton.ts'
import { locateClass } from '../../connector/load-class.ts'
import { replaceFile } from '../../std/disk/durable.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { CreatedClass } from '../wire/connector.ts'
import { ifExists } from './disk-errors.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'

/** Nothing that is written already is changed, but for the import of a file that gets one more class. */
export async function createClass(folder: string, className: string, type: string): Promise<CreatedClass> {
  const { file, exportName } = locateClass(className, undefined)
  if ((await ifExists(readFile(join(folder, `${file}.js`)))) !== null) {
    throw new ConnectorError('server/exists', `There is a file ${file}.js already.`, {
      hint: `Write the class ${exportName} into it.`,
    })
  }
  const path = `${file}.ts`
  const before = await ifExists(readFile(join(folder, path), 'utf8'))
  if (before !== null && new RegExp(`\\bclass ${exportName}\\b`).test(before)) {
    throw new ConnectorError('server/exists', `${path} has a class ${exportName} already.`, {
      hint: 'Correct it, or choose another name.',
    })
  }
  const text = withSkeleton(before, type, exportName)
  await makeFolder(dirname(join(folder, path)))
  await refuseOutside(folder, dirname(join(folder, path)), path)
  await replaceFile(join(folder, path), Buffer.from(text))
  return { file: path, path: resolve(folder, path), text }
}

/** A folder may be a link to another place. */
async function refuseOutside(folder: string, inner: string, path: string): Promise<void> {
  const [home, real] = [await realpath(folder), await realpath(inner)]
  if (real === home || real.startsWith(home + sep)) return
  throw new ConnectorError('plan/class-file-outside', `${path} leads outside the connector's folder.`)
}
