/** The changes of a fix → the text of the manifest with them: every other line, and every other stream, stays as it was. */
import { detach, removeResolved, setResolved } from '../../document/edit-resolved.ts'
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import type { Path } from '../../document/value-path.ts'

/**
 * Made where the thing is written, through references. What other streams use too is copied first: they keep theirs.
 *
 * @example const mended = applyEdits(text, diagnosis.findings[0].fix.edits)
 */
export function applyEdits(text: string, edits: readonly { readonly path: Path; readonly value?: unknown }[]): string {
  return edits.reduce((now, { path, value }) => {
    const stands = follow(openDocument(now).value, path).value !== undefined
    // What holds it is copied whole: beside a reference it could only be hidden, and not every field may be empty.
    if (value === undefined) return stands ? removeResolved(detach(now, path.slice(0, -1)), path) : now
    return setResolved(detach(now, path), path, value)
  }, text)
}
