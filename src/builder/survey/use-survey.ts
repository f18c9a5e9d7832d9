/** Trying a stream against an API that misbehaves, shown where its pages are. */
import type { SurveyEvent } from '../../server/wire/survey.ts'
import { showPane } from '../editor/pane.ts'
import { openRuns, type Running } from '../proofs/runs.ts'
import { showDetails } from '../test-reads/details.ts'

const useRun = openRuns<SurveyEvent>('/v1/surveys')

export function useSurvey(stream: string): Running<SurveyEvent> {
  const { start, ...others } = useRun(stream)
  return {
    ...others,
    start() {
      showPane('test')
      showDetails('survey')
      start()
    },
  }
}
