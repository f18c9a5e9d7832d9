/** A sentence as it is; of a long one the beginning, and the rest one click away. */
import { useState } from 'react'
import { Worded } from '../fields/inline-code.tsx'

const longest = 200

export function LongWords({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= longest || isWhole) return <Worded text={text} />
  return (
    <>
      <Worded text={`${text.slice(0, longest)}…`} />{' '}
      <button type="button" className="link" onClick={() => setWhole(true)}>
        show all
      </button>
    </>
  )
}
