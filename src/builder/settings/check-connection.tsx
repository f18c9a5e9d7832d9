/** Asks the API once, with the test values as they are, and says what came of it. */
import { useEffect, useRef, useState } from 'react'
import type { ConnectionCheck } from '../../server/wire/check.ts'
import { stringifyJson } from '../../std/json.ts'
import { AskError, ask } from '../api/ask.ts'
import { Worded } from '../fields/inline-code.tsx'
import { useInputs } from '../session/inputs.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'

type Outcome = { readonly of: string; readonly isGood: boolean; readonly message: string }

export function CheckConnection() {
  const store = useSessionStore()
  const { name } = store.get()
  const text = useSession((session) => session.text)
  const inputs = useInputs(name)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isChecking, setChecking] = useState(false)
  const hangUp = useRef<AbortController | null>(null)
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    // It is the last of the page: what it says would be below the edge.
    if (outcome !== null) box.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome])
  // A result for earlier values says nothing about the current ones. Values that were only loaded again are the same.
  const checkedNow = stringifyJson([text, inputs])
  const isCurrent = outcome?.of === checkedNow

  async function check(): Promise<void> {
    const asking = new AbortController()
    hangUp.current = asking
    setChecking(true)
    const { isGood, message } = await checked({ text, connector: name, config: { ...inputs } }, asking.signal)
    if (hangUp.current !== asking) return
    setChecking(false)
    if (!asking.signal.aborted) setOutcome({ of: checkedNow, isGood, message })
  }

  return (
    <section ref={box} className="check-connection" aria-label="Check connection">
      <button type="button" className="button" onClick={() => (isChecking ? hangUp.current?.abort() : void check())}>
        {isChecking ? 'Cancel' : 'Check connection'}
      </button>
      <p className="outcome" role="status" data-outcome={isCurrent && !isChecking ? verdict(outcome) : undefined}>
        {isChecking ? 'Asking the API…' : isCurrent && <Worded text={outcome.message} />}
      </p>
    </section>
  )
}

function verdict({ isGood }: Outcome): string {
  return isGood ? 'good' : 'bad'
}

async function checked(body: object, signal: AbortSignal) {
  try {
    const { success, message } = await ask<ConnectionCheck>('POST', '/v1/checks', { body, signal })
    return { isGood: success, message: success ? '✓ The API answers, and these values work.' : `✗ ${message ?? ''}` }
  } catch (error) {
    const problem = error instanceof AskError ? error : null
    return { isGood: false, message: `✗ ${problem?.message ?? 'The check was cancelled.'}` }
  }
}
