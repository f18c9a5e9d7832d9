/** What `turnleaf sync` was told → what `sync()` takes. */
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { type RequestedModes, syncModeNamed } from '../../sync/modes.ts'

/** `MODE` is for all streams, `STREAM=MODE` for one; a stream's name may have a `=` in it, a mode's does not. */
export function modesFrom(given: readonly string[] = []): RequestedModes | undefined {
  if (given.length === 0) return undefined
  return Object.fromEntries(
    given.map((text) => {
      const sign = text.lastIndexOf('=')
      return [sign === -1 ? '*' : text.slice(0, sign), syncModeNamed(text.slice(sign + 1))]
    }),
  )
}

/** `shop` for `shop/manifest.yaml`, for the folder `shop` and for `shop.yaml`. */
export async function connectionAt(manifestPath: string): Promise<string> {
  if (manifestPath === '-') return 'default'
  const path = resolve(manifestPath)
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true
  const stem = isFolder ? basename(path) : basename(path, extname(path))
  return (stem === 'manifest' && !isFolder ? basename(dirname(path)) : stem) || 'default'
}
