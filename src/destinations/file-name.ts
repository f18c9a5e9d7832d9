/** A stream → the name of its file or folder: safe on any file system, and of no other stream. */
import { chooseName, foldName, type NameRules } from './columns/column-name.ts'

/** File systems allow 255 bytes, those that encrypt 143; an extension must fit as well. */
const rules: NameRules = { maxBytes: 120, tellsCaseApart: false, reserved: new Set(['_turnleaf']) }

/**
 * @param isTaken asked with the name in the form of `foldFileName`: names that fold to the same are one file to macOS
 * and Windows.
 */
export function chooseFileName(stream: string, isTaken: (folded: string) => boolean): string {
  return chooseName(safeName(stream), rules, isTaken)
}

export function foldFileName(name: string): string {
  return foldName(name.normalize('NFC'), rules)
}

/** What no file system takes, or takes for something else: folders, hidden files, the devices of Windows. */
function safeName(stream: string): string {
  return stream
    .toWellFormed()
    .normalize('NFC')
    .replace(/[/\\:*?"<>|\u0000-\u001f\u007f]/g, '_')
    .replace(/^\.|[. ]$/g, '_')
    .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$&_')
}
