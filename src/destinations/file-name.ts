/** A stream → the unique name of its file or folder, safe on any file system. */
import { chooseName, foldName, type NameRules } from './columns/column-name.ts'

/** File systems allow 255 bytes, encrypted ones 143; an extension must fit too. */
const rules: NameRules = { maxBytes: 120, isCaseSensitive: false, reserved: new Set(['_turnleaf']) }

/**
 * @param isTaken called with a name as `foldFileName` returns it: names that fold to the same are one file on macOS
 * and Windows.
 */
export function chooseFileName(stream: string, isTaken: (folded: string) => boolean): string {
  return chooseName(safeName(stream), rules, isTaken)
}

export function foldFileName(name: string): string {
  return foldName(name.normalize('NFC'), rules)
}

/** Replaces what file systems refuse or treat specially: path separators, hidden files, device names of Windows. */
function safeName(stream: string): string {
  return stream
    .toWellFormed()
    .normalize('NFC')
    .replace(/[/\\:*?"<>|\u0000-\u001f\u007f]/g, '_')
    .replace(/^\.|[. ]$/g, '_')
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$&_')
}
