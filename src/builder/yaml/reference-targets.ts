/** What `$ref` can point at: everything under `definitions`, down to a few levels. */
import { isObject } from '../../engine/manifest/tree.ts'
import { pointerOf, valueAt } from '../../document/value-path.ts'

export type ReferenceTarget = { readonly reference: string; readonly type: string | null }

const deepest = 3
const mostTargets = 500

export function referenceTargets(root: unknown): ReferenceTarget[] {
  const targets: ReferenceTarget[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (!isObject(value) || targets.length >= mostTargets) return
    if (path.length > 1) {
      targets.push({
        reference: `#${pointerOf(path)}`,
        type: typeof value['type'] === 'string' ? value['type'] : null,
      })
    }
    if (path.length <= deepest) for (const [key, member] of Object.entries(value)) visit(member, [...path, key])
  }
  visit(valueAt(root, ['definitions']), ['definitions'])
  return targets
}
