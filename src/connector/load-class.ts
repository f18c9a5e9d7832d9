/** `source_<name>.<package>.<ClassName>` + the connector's folder → the class, checked before any request is sent. */
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { CustomBase, CustomPlan } from '../engine/custom/component.ts'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'
import { importConnectorFile } from './import-file.ts'

/** What is asked for, and where the manifest does. */
type Wanted = Pick<CustomPlan, 'role' | 'className' | 'at'>

/** Loads a class of the connector's own, TypeScript or JavaScript, and makes sure that it extends `base`. */
export async function loadClass<Base extends CustomBase>(folder: string, wanted: Wanted, base: Base): Promise<Base> {
  const { role, className, at } = wanted
  const { file, exportName } = locateClass(className, at)
  // Connectors written for Airbyte name Python classes: this says what has to be written in their place.
  const hint = `Export \`class ${exportName} extends ${base.name}\` from it, with ${base.name} imported from 'turnleaf'.`
  const home = await realpath(folder).catch(() => folder)
  const path = await findFile(home, file, wanted, hint)
  const exports = await importConnectorFile(path, home, at)
  const found = exports[exportName]
  if (typeof found !== 'function') {
    const names = Object.keys(exports).join(', ') || 'nothing'
    const message = `The ${role} \`${className}\` is not there: ${file} exports ${names}.`
    throw new ConnectorError('plan/class-missing', message, { at, hint })
  }
  if (!(found.prototype instanceof base)) {
    const message = `The ${role} \`${className}\` does not extend ${base.name}.`
    throw new ConnectorError('plan/class-wrong-base', message, { at, hint })
  }
  const absent = (methods[base.name] ?? []).filter((name) => !hasMethod(found as CustomBase, name, base))
  if (absent.length > 0) {
    const names = absent.map((name) => `\`${name}\``).join(' and ')
    const message = `The ${role} \`${className}\` has no method ${names}, which every ${base.name} needs.`
    throw new ConnectorError('plan/class-incomplete', message, { at })
  }
  return found as Base
}

/** What a class of each role must have of its own: the abstract methods of its base, which JavaScript does not check. */
const methods: Readonly<Record<string, readonly string[]>> = {
  Authenticator: ['authenticate'],
  BackoffStrategy: ['waitSeconds'],
  ConfigTransformation: ['transform'],
  Decoder: ['decode'],
  ErrorHandler: ['interpret'],
  PaginationStrategy: ['nextPageToken'],
  PartitionRouter: ['partitions'],
  RecordExtractor: ['extract'],
  RecordTransformation: ['transform'],
  Retriever: ['readSlice'],
  SchemaLoader: ['jsonSchema'],
  StateMigration: ['shouldMigrate', 'migrate'],
  ValidationStrategy: ['validate'],
}

/** Methods are on the prototype; one that is written as a field (`nextPageToken = (context) => …`) shows in the text only. */
function hasMethod(found: CustomBase, name: string, base: CustomBase): boolean {
  if (name in found.prototype) return true
  for (let one: unknown = found; typeof one === 'function' && one !== base; one = Object.getPrototypeOf(one)) {
    if (Function.prototype.toString.call(one).includes(name)) return true
  }
  return false
}

/** Where a class of this name belongs, without the ending, and what it is exported as. */
export function locateClass(className: string, at: SourceLocation | undefined): { file: string; exportName: string } {
  if (!/^source_\w+(\.[A-Za-z_]\w*)+\.[A-Za-z_]\w*$/.test(className)) {
    throw new ConnectorError('plan/class-name-form', `\`${className}\` does not name a class.`, { at })
  }
  const parts = className.split('.')
  return { file: parts.slice(0, -1).join('/'), exportName: parts.at(-1) as string }
}

async function findFile(folder: string, file: string, wanted: Wanted, hint: string): Promise<string> {
  const { role, className, at } = wanted
  const candidates = ['.ts', '.js'].map((ending) => join(folder, file) + ending)
  for (const path of candidates) {
    if (await isFile(path)) return insideFolder(path, folder, at)
  }
  const message = `The ${role} \`${className}\` should be in ${file}.ts or ${file}.js beside the manifest; neither exists.`
  throw new ConnectorError('plan/class-file-missing', message, { at, hint })
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** A link out of the folder is refused: custom code runs only from the connector's own place. */
async function insideFolder(path: string, home: string, at: SourceLocation | undefined): Promise<string> {
  const real = await realpath(path)
  if (real.startsWith(home + sep)) return real
  const message = `${path.slice(home.length + 1)} leads outside the connector's folder.`
  throw new ConnectorError('plan/class-file-outside', message, { at })
}
