/** What the author wrote, and where the connector lives → a manifest ready to be read from. */
import { setImmediate } from 'node:timers/promises'
import { ConnectorError } from '../std/errors.ts'
import { isObject } from '../std/values/objects.ts'
import { type Checked, checkManifest, checkSteps } from '../engine/manifest/check.ts'
import type { Manifest } from '../engine/manifest/manifest.ts'

/** A manifest that knows where its custom classes are. */
export type LoadedManifest = Manifest & { readonly folder?: string }

/**
 * Checks a manifest, YAML or JSON text or the object itself; throws once with every problem it has.
 *
 * @example const manifest = loadManifest(await readFile('shop/manifest.yaml', 'utf8'), { folder: 'shop' })
 */
export function loadManifest(
  source: string | object,
  options: { folder?: string; file?: string } = {},
): LoadedManifest {
  if (ArrayBuffer.isView(source) || source instanceof Promise) throw unread(source)
  return loadedOf(checkManifest(source, fileOf(options)), options)
}

/** `readFile` without an encoding, or without `await`. */
function unread(source: object): ConnectorError {
  const message = `A manifest is text or an object; this is a ${source.constructor.name}.`
  return new ConnectorError('manifest/wrong-type', message, {
    hint: "Read the file with `await readFile(path, 'utf8')`.",
  })
}

/** A program may pass the text itself, or the promise of it, where TypeScript did not check it. */
export function requireLoaded(manifest: LoadedManifest): void {
  const given: unknown = manifest
  if (isObject(given) && Array.isArray(given.streams) && typeof given.at === 'function') return
  const hint = 'Pass what `loadManifest(text)` returns.'
  throw new ConnectorError('manifest/wrong-type', 'This is not a manifest that `loadManifest` gave.', { hint })
}

/** As `loadManifest`, for a server, which answers others between two steps of a large manifest. */
export async function loadInSteps(
  source: string | object,
  options: { folder?: string; file?: string } = {},
): Promise<LoadedManifest> {
  const steps = checkSteps(source, fileOf(options))
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return loadedOf(value, options)
    await setImmediate()
  }
}

function fileOf({ file }: { file?: string }): { file?: string } {
  return file === undefined ? {} : { file }
}

function loadedOf({ manifest, problems }: Checked, options: { folder?: string }): LoadedManifest {
  if (manifest !== null) return options.folder === undefined ? manifest : { ...manifest, folder: options.folder }

  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) throw new Error('A manifest without errors was refused.')
  const others = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  throw new ConnectorError(first.code, `${first.message}${others}`, { at: first.at, hint: first.hint, problems })
}

/** What the manifest of a connector may be called in its folder; the first is what new ones are called. */
export const manifestNames = ['manifest.yaml', 'manifest.yml', 'manifest.json'] as const
