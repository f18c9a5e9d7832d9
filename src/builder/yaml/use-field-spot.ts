/** A field of the form as a place one can come to from the text, and leave for it. */
import { useEffect } from 'react'
import { follow } from '../../document/follow.ts'
import { type Path, pointerOf } from '../../document/value-path.ts'
import { useSession } from '../session/use-session.tsx'
import { noteSpot, onWish, takeWish, type Target } from './spot.ts'

/** @returns to be called when somebody works at the field, so that the text opens there. */
export function useFieldSpot(at: Path, controlId: string): () => void {
  const root = useSession(({ document }) => document.value)
  const pointer = pointerOf(follow(root, at).writtenAt)
  useEffect(() => {
    const go = () => {
      if (takeWish('form', (target) => isWithin(target, pointer)) === null) return
      const control = document.getElementById(controlId)
      control?.scrollIntoView({ block: 'center' })
      control?.focus()
    }
    go()
    return onWish(go)
  }, [pointer, controlId])
  return () => noteSpot(follow(root, at).writtenAt)
}

/** The cursor may stand deeper in the text than the form has fields: in a name of a path, say. */
function isWithin(target: Target, pointer: string): boolean {
  if (!('path' in target)) return false
  const wished = pointerOf(target.path)
  return wished === pointer || wished.startsWith(`${pointer}/`)
}
