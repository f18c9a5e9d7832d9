/** Streams of a description, each confirmed by asking its API: one after the other, with the inputs that it needs. */
import { useRef, useState } from 'react'
import { openDocument } from '../../../document/open-document.ts'
import { valueAt } from '../../../document/value-path.ts'
import { isObject, type Members } from '../../../std/values/objects.ts'
import type { DetectionEvent } from '../../../server/wire/detection.ts'
import { AskError, askLines } from '../../api/ask.ts'
import { type Confirmation, confirmationOf } from './apply-confirmed.ts'
import { type NeededInput, neededInputs, typedValue } from '../../test-reads/inputs/needed-inputs.ts'

export type ConfirmState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly trouble: string }
  | { readonly kind: 'done'; readonly confirmation: Confirmation }

export type Confirming = {
  readonly states: ReadonlyMap<string, ConfirmState>
  /** What was confirmed, for the manifest. */
  readonly confirmed: ReadonlyMap<string, Confirmation>
  /** Asked for once the first stream needs them; with values they are sent. */
  readonly needed: readonly NeededInput[]
  /** Kept in the memory of the tab. */
  readonly values: Readonly<Record<string, string>>
  /** The same as the inputs of the connector. */
  readonly config: Readonly<Record<string, unknown>>
  readonly setValue: (name: string, value: string) => void
  readonly confirm: (stream: string) => Promise<void>
  readonly forget: () => void
}

/** @param write the manifest of one stream; null where the server refuses */
export function useConfirming(write: (only: readonly string[]) => Promise<string | null>): Confirming {
  const [states, setStates] = useState<ReadonlyMap<string, ConfirmState>>(new Map())
  const [needed, setNeeded] = useState<readonly NeededInput[]>([])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  // A description that was replaced is not confirmed by what comes later.
  const turn = useRef(0)

  async function confirm(stream: string): Promise<void> {
    const mine = turn.current
    const set = (state: ConfirmState) => {
      if (mine === turn.current) setStates((before) => new Map(before).set(stream, state))
    }
    set({ kind: 'asking' })
    const text = await write([stream])
    if (text === null) return set({ kind: 'failed', trouble: 'No manifest could be made of this stream.' })
    const inputs = neededInputs(specIn(text), {})
    const lacking = inputs.filter(({ kind, name }) => typedValue(kind, values[name] ?? '') === null)
    if (mine === turn.current)
      setNeeded((before) => [...before, ...inputs.filter((one) => !before.some(({ name }) => name === one.name))])
    if (lacking.length > 0) {
      return set({
        kind: 'failed',
        trouble: `Enter ${lacking.map(({ title }) => title).join(', ')} above, and confirm again.`,
      })
    }
    try {
      const config = typedConfig(inputs, values)
      for await (const event of askLines<DetectionEvent>('POST', '/v1/detections', {
        body: { text, stream, config },
      })) {
        if (event.kind !== 'end') continue
        const { detection, problem } = event
        if (detection === null)
          set({ kind: 'failed', trouble: [problem?.detail, problem?.hint].filter(Boolean).join(' ') })
        else set({ kind: 'done', confirmation: confirmationOf(text, stream, detection) })
      }
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      set({ kind: 'failed', trouble: error.message })
    }
  }

  const confirmed = new Map<string, Confirmation>()
  for (const [stream, state] of states) if (state.kind === 'done') confirmed.set(stream, state.confirmation)
  return {
    states,
    confirmed,
    needed,
    values,
    config: typedConfig(needed, values),
    setValue: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    confirm,
    forget() {
      turn.current += 1
      setStates(new Map())
      setNeeded([])
    },
  }
}

/** What was typed and fits; the rest is asked for by the first test. */
function typedConfig(inputs: readonly NeededInput[], typed: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    inputs.flatMap(({ kind, name }) => {
      const given = typedValue(kind, typed[name] ?? '')
      return given === null ? [] : [[name, given.value]]
    }),
  )
}

function specIn(text: string): Members | null {
  const spec = valueAt(openDocument(text).value, ['spec', 'connection_specification'])
  return isObject(spec) ? spec : null
}
