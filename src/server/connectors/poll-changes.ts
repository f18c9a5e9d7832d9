/** Looks at the disk again and again → which connectors were changed or deleted by somebody else. */
import type { ConnectorFolders } from './folders.ts'
import { type Stamps, stampsOf } from './stamps.ts'

export type Look = {
  /** From here on, what is different is a change. */
  begin(): Promise<void>
  /** Whether everything is as it was a moment ago: a file that is just being written is looked at again. */
  again(): Promise<'settled' | 'moving'>
}

/**
 * @param tell the name of a connector that is not as it was; is it still there, and at which version?
 */
export function lookAt(folders: ConnectorFolders, tell: (name: string) => Promise<void>): Look {
  let told: Map<string, string> = new Map()
  let last: Stamps = told

  return {
    async begin() {
      last = await stampsOf(folders)
      told = new Map(last)
    },

    async again() {
      const now = await stampsOf(folders)
      let answer: 'settled' | 'moving' = 'settled'
      for (const name of new Set([...told.keys(), ...now.keys()])) {
        const stamp = now.get(name)
        if (stamp === told.get(name)) continue
        // Editors empty a file before they fill it, or move it away before the new one takes its place.
        if (stamp !== last.get(name)) answer = 'moving'
        else {
          if (stamp === undefined) told.delete(name)
          else told.set(name, stamp)
          await tell(name)
        }
      }
      last = now
      return answer
    },
  }
}
