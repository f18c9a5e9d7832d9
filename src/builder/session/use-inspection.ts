/** The text as it is being written → problems, streams and preview, asked of the server a moment after the last key. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Inspection } from '../../server/wire/inspection.ts'
import { ask } from '../api/ask.ts'
import { useInputs } from './inputs.ts'
import { numberOfText } from './text-number.ts'
import { useSession } from './use-session.tsx'

/** Short enough to feel immediate, long enough not to ask for every letter. */
const restMs = 120

/** The problems and streams of the session's manifest; with a stream, also what it would ask first. */
export function useInspection(stream?: string): Inspection | undefined {
  const name = useSession((session) => session.name)
  const text = useRested(useSession((session) => session.text))
  const config = useRested(useInputs(name))
  const { data } = useQuery({
    queryKey: ['inspection', numberOfText(text), stream ?? null, config],
    queryFn: ({ signal }) =>
      ask<Inspection>('POST', '/v1/inspections', {
        body: { text, connector: name, config, ...(stream !== undefined && { stream }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    // The same text has the same problems.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  })
  return data
}

function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
