/** The edits of a fix → the manifest with them applied: every other line and stream stays the same. */
import { detach, removeResolved, setResolved } from '../../document/edit-resolved.ts'
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import type { Path } from '../../document/value-path.ts'

/**
 * Edits are made where the value is written, through references. What other streams share is copied first, so they keep theirs.
 *
 * @example const fixed = applyEdits(text, diagnosis.findings[0].fix.edits)
 */
export function applyEdits(text: string, edits: readonly { readonly path: Path; readonly value?: unknown }[]): string {
  return edits.reduce((now, { path, value }) => {
    const exists = follow(openDocument(now).value, path).value !== undefined
    // The holder is copied whole: next to a reference the field could only be hidden, and not every field may be empty.
    if (value === undefined) return exists ? removeResolved(detach(now, path.slice(0, -1)), path) : now
    return setResolved(detach(now, path), path, value)
  }, text)
}
