/** One attempt to create a connector: under way, done, or refused with a reason. */
import { useState } from 'react'
import { AskError } from '../api/ask.ts'
import { createAndOpen } from './actions.ts'

export type Creating = {
  readonly isBusy: boolean
  readonly trouble: string | null
  readonly create: (name: string, text: string, values?: Readonly<Record<string, unknown>>) => void
}

export function useCreating(): Creating {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  async function attempt(...what: Parameters<Creating['create']>): Promise<void> {
    setBusy(true)
    setTrouble(null)
    try {
      await createAndOpen(...what)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setTrouble(error.message)
      setBusy(false)
    }
  }
  return { isBusy, trouble, create: (...what) => void attempt(...what) }
}
