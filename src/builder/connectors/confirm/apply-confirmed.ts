/** The manifest of a description + what its API showed → the same manifest, with that in place of the proposals. */
import { openDocument } from '../../../document/open-document.ts'
import { locate } from '../../../document/source-tree.ts'
import { streamsIn } from '../../../document/stream-paths.ts'
import { treeOf } from '../../../document/tree-of.ts'
import { type Path, valueAt } from '../../../document/value-path.ts'
import { isSamePaginator } from '../../../from-request/same-paginator.ts'
import { isObject, type Members } from '../../../std/values/objects.ts'
import type { Candidate, Detection } from '../../../server/wire/detection.ts'
import { withCandidate } from '../../detection/with-candidate.ts'

export type Confirmation = {
  /** `unclear`: the proposal stays. */
  readonly kind: 'confirmed' | 'replaced' | 'unclear'
  readonly says: string
  readonly evidence: readonly string[]
  readonly candidate: Candidate | null
  readonly recordPath: readonly string[] | null
}

/** @param text the manifest with the proposal */
export function confirmationOf(text: string, stream: string, detection: Detection): Confirmation {
  const { answer, says, candidates, recordPath } = detection
  const root = openDocument(text).value
  const path = streamsIn(root).find(({ name }) => name === stream)?.path ?? []
  const proposed = membersAt(root, [...path, 'retriever', 'paginator'])
  const [candidate = null] = candidates
  if (answer === 'not-paginated') {
    // Few records show nothing about many.
    const words = proposed === null ? says : `${says} The proposal stays: there may be more records one day.`
    return { kind: proposed === null ? 'confirmed' : 'unclear', says: words, evidence: [], candidate: null, recordPath }
  }
  if (answer === 'cannot-tell' || candidate === null || candidate.paginator === null) {
    return { kind: 'unclear', says, evidence: candidate?.evidence ?? [], candidate: null, recordPath: null }
  }
  const written = valueAt(root, [...path, 'retriever', 'record_selector', 'extractor', 'field_path'])
  const isSameList = recordPath === null || JSON.stringify(written) === JSON.stringify(recordPath)
  const isSame = isSameList && candidate.template === undefined && isSamePaginator(proposed, candidate.paginator)
  const { evidence } = candidate
  return { kind: isSame ? 'confirmed' : 'replaced', says: candidate.says, evidence, candidate, recordPath }
}

/** Streams that are not among those of the text are passed over. */
export function withConfirmed(text: string, confirmed: ReadonlyMap<string, Confirmation>): string {
  let now = text
  for (const [name, { kind, says, candidate, recordPath }] of confirmed) {
    if (kind === 'unclear') continue
    for (const path of placesOf(openDocument(now).value, name)) {
      const at = {
        paginatorAt: [...path, 'retriever', 'paginator'],
        selectorAt: [...path, 'retriever', 'record_selector'],
      }
      if (candidate !== null) now = withCandidate(now, at, candidate, recordPath)
      const word = kind === 'confirmed' ? 'confirmed' : 'corrected'
      now = withNote(now, path, `Pagination ${word} by asking the API: ${says}`)
    }
  }
  return now
}

/** The stream, and the copy of it that other streams have as their parent. */
function placesOf(root: unknown, name: string): Path[] {
  const stream = streamsIn(root).find((one) => one.name === name)?.path
  if (stream === undefined) return []
  const copy = ['definitions', 'parents', name]
  return valueAt(root, copy) === undefined ? [stream] : [stream, copy]
}

function membersAt(root: unknown, path: Path): Members | null {
  const value = valueAt(root, path)
  return isObject(value) ? value : null
}

/** The comment says that nothing is confirmed: it would be wrong now. */
function withNote(text: string, path: Path, note: string): string {
  const tree = treeOf(text)
  const step = tree === null ? undefined : locate(tree, path)?.steps.at(-1)
  if (step === undefined) return text
  const part = text.slice(step.start, step.end)
  const written = part.replace(/# Pagination not confirmed:.*/, () => `# ${note.replaceAll(/\s+/g, ' ')}`)
  return text.slice(0, step.start) + written + text.slice(step.end)
}
