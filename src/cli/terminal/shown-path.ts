/** A path as people would type it here: relative where it lies in this folder. */
import { relative } from 'node:path'

export function shownPath(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown.startsWith('..') ? path : shown
}
