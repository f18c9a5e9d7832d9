/** `source_<name>.<package>.<ClassName>` + the connector's folder → the class, checked before any request is sent. */
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, sep } from 'node:path'
import type { CustomBase, CustomPlan } from '../engine/custom/component.ts'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'
import { createRequire, isBuiltin } from 'node:module'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Plugin } from 'rolldown'

/** What the manifest requires, and where. */
type Wanted = Pick<CustomPlan, 'role' | 'className' | 'at'>

/** Loads a custom class, TypeScript or JavaScript, and checks that it extends `base`. */
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
    const message = `The ${role} \`${className}\` was not found: ${file} exports ${names}.`
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

/** What a class of each role must define: the abstract methods of its base, which JavaScript does not check. */
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
  const message = `The ${role} \`${className}\` should be in ${file}.ts or ${file}.js next to the manifest; neither exists.`
  throw new ConnectorError('plan/class-file-missing', message, { at, hint })
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** A link out of the folder is refused: custom code runs only from the connector's folder. */
async function insideFolder(path: string, home: string, at: SourceLocation | undefined): Promise<string> {
  const real = await realpath(path)
  if (real.startsWith(home + sep)) return real
  const message = `${path.slice(home.length + 1)} leads outside the connector's folder.`
  throw new ConnectorError('plan/class-file-outside', message, { at })
}

/** Whatever folder a connector lives in, `turnleaf` is this very package: one copy, one set of base classes. */
const ownPackage = new URL('../index.js', import.meta.url).href

/**
 * Bundled with the files it imports from its own folder and evaluated from memory: TypeScript works on every
 * Node, nothing is written to disk, and a second read after an edit sees the edit.
 */
async function importConnectorFile(
  path: string,
  folder: string,
  at?: SourceLocation,
): Promise<Record<string, unknown>> {
  const file = path.slice(folder.length + 1)
  try {
    const { rolldown } = await import('rolldown')
    await using bundle = await rolldown({
      input: path,
      platform: 'node',
      logLevel: 'silent',
      plugins: [keepInside(dirname(path), folder)],
    })
    const { output } = await bundle.generate({ format: 'esm', sourcemap: 'inline', codeSplitting: false })
    const code = Buffer.from(output[0].code).toString('base64')
    return (await import(`data:text/javascript;base64,${code}`)) as Record<string, unknown>
  } catch (cause) {
    throw notLoadable(cause, file, at)
  }
}

/** Its own files, Node's modules and installed packages; nothing else, by whatever path or link it is reached. */
function keepInside(from: string, folder: string): Plugin {
  const require = createRequire(join(from, 'connector.js'))
  const isInside = (path: string) => path.startsWith(folder + sep)
  return {
    name: 'keep-inside',
    resolveId(path, importer) {
      if (importer === undefined) return null
      if (path === 'turnleaf') return { id: ownPackage, external: true }
      if (isBuiltin(path)) return { id: path, external: true }
      if (isAbsolute(path) || /^[a-z]+:/i.test(path)) throw new OutsideError(path)
      if (!path.startsWith('.')) return { id: pathToFileURL(require.resolve(path)).href, external: true }
      if (!isInside(join(dirname(importer), path))) throw new OutsideError(path)
      return null
    },
    // By now links are resolved: this is the file itself.
    load(path) {
      if (!isInside(path)) throw new OutsideError(path)
      return null
    },
  }
}

class OutsideError extends Error {
  constructor(path: string) {
    super(`"${path}" is outside the connector's folder`)
  }
}

type BuildErrors = { errors: (Error & { loc?: { line: number } })[] }

function notLoadable(cause: unknown, file: string, at: SourceLocation | undefined): ConnectorError {
  const [first] = (cause as Partial<BuildErrors>).errors ?? []
  const error = first ?? (cause instanceof Error ? cause : new Error(String(cause)))
  const code = error instanceof OutsideError ? 'plan/class-file-outside' : 'plan/class-not-loadable'
  const line = first?.loc === undefined ? '' : `:${first.loc.line}`
  return new ConnectorError(code, `${file}${line}: ${inOneLine(error.message)}`, { at, cause })
}

/** The bundler colours its messages, puts its own code first and draws the line of code below. */
function inOneLine(message: string): string {
  const [first = ''] = stripVTControlCharacters(message).split('\n')
  return first.replace(/^\[[A-Z_]+\] /, '')
}
