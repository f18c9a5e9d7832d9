/** One thing to do at a time: whether it is being done, and why it failed. */
import { useState } from 'react'
import { AskError } from '../api/ask.ts'

export type Doing = {
  readonly isBusy: boolean
  /** What is wrong and what to do about it; null where nothing is. */
  readonly fault: string | null
  readonly run: (work: () => Promise<void>) => Promise<void>
}

export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setFault(`${error.message} ${error.problem?.hint ?? ''}`.trim())
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, fault, run }
}
