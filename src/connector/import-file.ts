/** A connector's TypeScript or JavaScript file → its exports. */
import { createRequire, isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Plugin } from 'rolldown'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'

/** Whatever folder a connector lives in, `turnleaf` is this very package: one copy, one set of base classes. */
const ownPackage = new URL('../index.js', import.meta.url).href

/**
 * Bundled with the files it imports from its own folder and evaluated from memory: TypeScript works on every
 * Node, nothing is written to disk, and a second read after an edit sees the edit.
 */
export async function importConnectorFile(
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
    super(`"${path}" lies outside the connector's folder`)
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
