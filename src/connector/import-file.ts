/** A connector's TypeScript or JavaScript file → its exports. */
import { createRequire, isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { ConnectorError, type SourceLocation } from '../errors.ts'

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
  try {
    const { build } = await import('esbuild')
    const bundle = await build({
      entryPoints: [path],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      logLevel: 'silent',
      plugins: [keepInside(dirname(path), folder)],
    })
    const code = Buffer.from(bundle.outputFiles[0]?.contents ?? []).toString('base64')
    return (await import(`data:text/javascript;base64,${code}`)) as Record<string, unknown>
  } catch (cause) {
    throw notLoadable(cause, path.slice(folder.length + 1), at)
  }
}

/** Its own files, Node's modules and installed packages; nothing else, by whatever path or link it is reached. */
function keepInside(from: string, folder: string): Plugin {
  const require = createRequire(join(from, 'connector.js'))
  const outside = (path: string) => ({
    errors: [{ text: `"${path}" lies outside the connector's folder`, detail: 'outside' }],
  })
  return {
    name: 'keep-inside',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point') return undefined
        if (path === 'turnleaf') return { path: ownPackage, external: true }
        if (isBuiltin(path)) return { path, external: true }
        if (isAbsolute(path) || /^[a-z]+:/i.test(path)) return outside(path)
        if (!path.startsWith('.')) return { path: pathToFileURL(require.resolve(path)).href, external: true }
        return join(resolveDir, path).startsWith(folder + sep) ? undefined : outside(path)
      })
      // By now links are resolved: this is the file itself.
      build.onLoad({ filter: /.*/ }, ({ path }) => (path.startsWith(folder + sep) ? undefined : outside(path)))
    },
  }
}

type BuildErrors = { errors: { text: string; detail?: unknown; location?: { file: string; line: number } | null }[] }

function notLoadable(cause: unknown, file: string, at: SourceLocation | undefined): ConnectorError {
  const [first] = (cause as Partial<BuildErrors>).errors ?? []
  const reason = first?.text ?? (cause instanceof Error ? cause.message : String(cause))
  const code = first?.detail === 'outside' ? 'plan/class-file-outside' : 'plan/class-not-loadable'
  const line = first?.location?.line === undefined ? '' : `:${first.location.line}`
  return new ConnectorError(code, `${file}${line}: ${reason}`, { at, cause })
}
