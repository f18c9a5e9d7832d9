/** Trying a stream against an API that misbehaves, shown where its pages are. */
import type { SurveyEvent } from '../../server/wire/survey.ts'
import { showPane } from '../editor/edit-or-test.ts'
import { createWork, type RunningWork } from '../proofs/work.ts'
import { showDetails } from '../test-reads/open-tab.ts'

const useRun = createWork<SurveyEvent>('/v1/surveys')

export function useSurvey(stream: string): RunningWork<SurveyEvent> {
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
