/** The text as it is being written → problems, streams and preview, asked of the server a moment after the last key. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Inspection, Preview } from '../../server/wire/inspection.ts'
import { askAboutText } from '../background/background.ts'
import { useRested } from '../use-debounced.ts'
import { useInputs } from './inputs.ts'
import { numberOfText } from './text-number.ts'
import { useSession } from './use-session.tsx'

/** Short enough to feel immediate, long enough not to ask for every letter. */
const restMs = 120

export const InspectionContext = createContext<Inspection | undefined>(undefined)

/** The problems, streams and spec of the session's manifest; undefined until the server said so first. */
export function useInspection(): Inspection | undefined {
  return useContext(InspectionContext)
}

/** What a stream would ask first; null while that is not known. */
export function usePreview(stream: string): Preview | null {
  const preview = useAskedInspection(stream)?.preview ?? null
  // What is shown until the next response comes may be of the stream before.
  return preview?.stream === stream ? preview : null
}

/** Asks of its own: with a stream, also for its preview. */
export function useAskedInspection(stream: string | null): Inspection | undefined {
  const name = useSession((session) => session.name)
  const text = useRested(
    useSession((session) => session.text),
    restMs,
  )
  const config = useRested(useInputs(name), restMs)
  const { data } = useQuery({
    queryKey: ['inspection', name, numberOfText(text), stream, config],
    queryFn: ({ signal }) =>
      askAboutText<Inspection>(
        '/v1/inspections',
        { text, connector: name, config, ...(stream !== null && { stream }) },
        signal,
      ),
    placeholderData: keepPreviousData,
    // The same text has the same problems, until a custom class is written: then the tab regains the focus.
    refetchOnMount: false,
    gcTime: 10_000,
  })
  return data
}
