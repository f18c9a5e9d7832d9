/** `source_<name>.<package>.<ClassName>` + the connector's folder → the class, checked before any request is sent. */
import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
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
  const absent = (methods[base.name] ?? []).filter(
    (either) => !either.some((name) => defines(found as CustomBase, name, base)),
  )
  if (absent.length > 0) {
    const names = absent.map((either) => either.map((name) => `\`${name}\``).join(' or ')).join(' and ')
    const message = `The ${role} \`${className}\` has no method ${names}, which every ${base.name} needs.`
    throw new ConnectorError('plan/class-incomplete', message, { at })
  }
  return found as Base
}

/**
 * What a class of each role must define, each by one of these names: the abstract methods of its base, which JavaScript does not
 * check, and what a filter needs in order to leave anything out.
 */
const methods: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Authenticator: [['authenticate']],
  BackoffStrategy: [['waitSeconds']],
  ConfigTransformation: [['transform']],
  Decoder: [['decode']],
  ErrorHandler: [['interpret']],
  PaginationStrategy: [['nextPageToken']],
  PartitionRouter: [['partitions']],
  RecordExtractor: [['extract']],
  RecordFilter: [['keeps', 'filter']],
  RecordTransformation: [['transform']],
  Retriever: [['readSlice']],
  SchemaLoader: [['jsonSchema']],
  StateMigration: [['shouldMigrate'], ['migrate']],
  ValidationStrategy: [['validate']],
}

/** Methods are on the prototype; one that is written as a field (`nextPageToken = (context) => …`) shows in the text only. */
function defines(found: CustomBase, name: string, base: CustomBase): boolean {
  if (Reflect.get(found.prototype, name) !== Reflect.get(base.prototype, name)) return true
  const word = new RegExp(`\\b${name}\\b`)
  for (let one: unknown = found; typeof one === 'function' && one !== base; one = Object.getPrototypeOf(one)) {
    if (word.test(Function.prototype.toString.call(one))) return true
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
  try {
    const { rolldown } = await import('rolldown')
    await using bundle = await rolldown({
      input: path,
      platform: 'node',
      logLevel: 'silent',
      // Those of Node: a file that a package has for bundlers may not run in it.
      resolve: { conditionNames: ['node', 'import', 'default'] },
      plugins: [keepInside(folder), keepPlaces],
    })
    const { output } = await bundle.generate({ format: 'esm', sourcemap: 'inline', codeSplitting: false })
    const code = Buffer.from(output[0].code).toString('base64')
    return (await import(`data:text/javascript;base64,${code}`)) as Record<string, unknown>
  } catch (cause) {
    throw notLoadable(cause, { path, folder, at })
  }
}

/** Its own files, Node's modules and installed packages; nothing else, by whatever path or link it is reached. */
function keepInside(folder: string): Plugin {
  const isInside = (path: string) => path.startsWith(folder + sep)
  return {
    name: 'keep-inside',
    async resolveId(path, importer, { kind }) {
      if (importer === undefined) return null
      if (path.startsWith('.')) {
        if (!isInside(join(dirname(importer), path))) throw new OutsideError(path, importer)
        return null
      }
      if (kind === 'require-call')
        throw new ImportError(`write \`import … from '${path}'\` in place of \`require('${path}')\``, importer)
      if (path === 'turnleaf') return { id: ownPackage, external: true }
      if (isBuiltin(path)) return { id: path, external: true }
      if (isAbsolute(path) || /^[a-z]+:/i.test(path)) throw new OutsideError(path, importer)
      const imported = await this.resolve(path, importer, { kind, skipSelf: true })
      return { id: pathToFileURL(imported?.id ?? requiredFile(path, importer)).href, external: true }
    },
    // By now links are resolved: this is the file itself.
    load(path) {
      if (!isInside(path)) throw new OutsideError(path, path)
      return null
    },
  }
}

/** Of a package that can only be required, which Node imports as well by the path of its file. */
function requiredFile(path: string, importer: string): string {
  try {
    return createRequire(importer).resolve(path)
  } catch (error) {
    const said = inOneLine(error instanceof Error ? error.message : String(error))
    const isAbsent = said.startsWith(`Cannot find module '${path}'`) && /^(@[^/]+\/)?[^/]+$/.test(path)
    throw new ImportError(isAbsent ? `the package '${path}' is not installed` : said, importer)
  }
}

/** A file that is evaluated from memory has no place: it gets that of its source, to read what is next to it. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta', moduleType: ['js', 'jsx', 'ts', 'tsx'] },
    handler(code, path, { moduleType }) {
      const lang = moduleType as 'js' | 'jsx' | 'ts' | 'tsx'
      const places = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
      let placed = code
      // From the last to the first, so that the others stay where they are.
      for (const { start, end } of importMetas(this.parse(code, { lang })).toReversed()) {
        placed = `${placed.slice(0, start)}turnleaf_import_meta${placed.slice(end)}`
      }
      // In the first line: the places of errors stay as they are.
      const declared = `const turnleaf_import_meta = { ...import.meta, ...${JSON.stringify(places)} };`
      return { code: placed === code ? code : declared + placed, map: null }
    },
  },
}

type Span = { readonly start: number; readonly end: number }

/** Each `import.meta` of a syntax tree, in order; not the words in a string or a comment. */
function importMetas(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return []
  if ('type' in node && node.type === 'MetaProperty' && 'meta' in node && 'start' in node && 'end' in node) {
    const isImport = (node.meta as { readonly name?: unknown }).name === 'import'
    return isImport ? [{ start: Number(node.start), end: Number(node.end) }] : []
  }
  return Object.values(node).flatMap(importMetas)
}

/** An import that fails, in a file of the connector. */
class ImportError extends Error {
  readonly importer: string

  constructor(message: string, importer: string) {
    super(message)
    this.importer = importer
  }
}

class OutsideError extends ImportError {
  constructor(path: string, importer: string) {
    super(`"${path}" is outside the connector's folder`, importer)
  }
}

type BuildErrors = { errors: (Error & { loc?: { file?: string; line: number } })[] }

/** Names the file that is wrong: the class, or one that it imports. */
function notLoadable(
  cause: unknown,
  { path, folder, at }: { path: string; folder: string; at: SourceLocation | undefined },
): ConnectorError {
  const [first] = (cause as Partial<BuildErrors>).errors ?? []
  const error = first ?? (cause instanceof Error ? cause : new Error(String(cause)))
  const code = error instanceof OutsideError ? 'plan/class-file-outside' : 'plan/class-not-loadable'
  const line = first?.loc === undefined ? '' : `:${first.loc.line}`
  const culprit = error instanceof ImportError ? error.importer : (first?.loc?.file ?? path)
  const file = relative(folder, culprit)
  return new ConnectorError(code, `${file}${line}: ${inOneLine(error.message)}`, { at, cause })
}

/** The bundler colours its messages, puts its own code first and draws the line of code below. */
function inOneLine(message: string): string {
  const [first = ''] = stripVTControlCharacters(message).split('\n')
  return first.replace(/^\[[A-Z_]+\] /, '')
}
