/** A recorded stream → what its manifest makes of each fault of the lab. */
import type { ManifestText } from '../connector/open-connector.ts'
import { survey } from '../lab/survey/survey.ts'
import { ConnectorError } from '../std/errors.ts'
import type { Recording } from './recording.ts'

/** Null where the stream cannot be surveyed. No API is called, and the config has no secrets. */
export async function surveyOutcomes(
  { text, file, folder }: ManifestText,
  { stream, config }: Pick<Recording, 'stream' | 'config'>,
  signal: AbortSignal | undefined,
): Promise<Record<string, string> | null> {
  const given = { streams: [stream], config, file, folder, ...(signal !== undefined && { signal }) }
  const results = await survey(text, given).then(
    (found) => found.results,
    (error: unknown) => {
      if (!(error instanceof ConnectorError) || error.code === 'response/aborted') throw error
      return []
    },
  )
  const applying = results.filter(({ outcome }) => outcome !== 'does not apply')
  return applying.length === 0 ? null : Object.fromEntries(applying.map(({ fault, outcome }) => [fault, outcome]))
}

/** The better, the higher. */
const ranks: Readonly<Record<string, number>> = { misses: 0, reports: 1, survives: 2 }

export type SurveyChange = {
  readonly fault: string
  readonly was: string
  readonly is: string
  readonly isWorse: boolean
}

export function surveyChanges(
  was: Readonly<Record<string, string>>,
  is: Readonly<Record<string, string>> | null,
): SurveyChange[] {
  return Object.entries(was).flatMap(([fault, before]) => {
    const after = is?.[fault] ?? 'not surveyed'
    if (before === after) return []
    return [{ fault, was: before, is: after, isWorse: (ranks[after] ?? -1) < (ranks[before] ?? -1) }]
  })
}
