/** A description that the server reads: its streams, those that are ticked, and the manifest of them. */
import { useState } from 'react'
import type { ImportRequest, ImportResult } from '../../server/wire/import.ts'
import { ask, AskError } from '../api/ask.ts'

export type Description = {
  /** Null until its streams were listed. */
  readonly described: ImportResult | null
  readonly chosen: ReadonlySet<string>
  readonly isBusy: boolean
  readonly trouble: string | null
  readonly list: (source: string) => Promise<ImportResult | null>
  readonly choose: (chosen: ReadonlySet<string>) => void
  /** The manifest of the ticked streams; null where the server refuses. */
  readonly write: (source: string) => Promise<string | null>
  /** The same of one stream, which need not be ticked, and without a word about how it goes. */
  readonly writeOnly: (source: string, only: readonly string[]) => Promise<string | null>
  readonly forget: () => void
}

/** Of more, all would rarely be meant. */
const mostTicked = 200

export function useDescription(): Description {
  const [described, setDescribed] = useState<ImportResult | null>(null)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)

  async function request(body: ImportRequest): Promise<ImportResult | null> {
    setBusy(true)
    setTrouble(null)
    try {
      return await ask<ImportResult>('POST', '/v1/imports', { body })
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setTrouble([error.message, error.problem?.hint].filter(Boolean).join(' '))
      return null
    } finally {
      setBusy(false)
    }
  }

  return {
    described,
    chosen,
    isBusy,
    trouble,
    choose,
    async list(source) {
      const found = await request({ source })
      if (found === null) return null
      setDescribed(found)
      choose(new Set(found.streams.length > mostTicked ? [] : found.streams.map(({ name }) => name)))
      return found
    },
    write: async (source) => (await request({ source, only: [...chosen] }))?.manifest ?? null,
    async writeOnly(source, only) {
      const body: ImportRequest = { source, only: [...only] }
      const made = await ask<ImportResult>('POST', '/v1/imports', { body }).catch((error: unknown) => {
        if (error instanceof AskError) return null
        throw error
      })
      return made?.manifest ?? null
    },
    forget() {
      setDescribed(null)
      setTrouble(null)
    },
  }
}
