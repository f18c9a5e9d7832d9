/** What can be found out about a stream, shown where its pages are: what is wrong with it, and which faults of an API it survives. */
import type { DiagnosisEvent } from '../../server/wire/diagnosis.ts'
import type { SurveyEvent } from '../../server/wire/survey.ts'
import { showPane } from '../editor/edit-or-test.ts'
import { type Details, showDetails } from '../test-reads/open-tab.ts'
import { createWork, type RunningWork, type WorkEvent } from './work.ts'

export const useDiagnosis = createProof<DiagnosisEvent>('/v1/diagnoses', 'diagnosis')
export const useSurvey = createProof<SurveyEvent>('/v1/surveys', 'survey')

function createProof<Event extends WorkEvent>(path: string, details: Details) {
  const useWork = createWork<Event>(path)
  return function useProof(stream: string): RunningWork<Event> {
    const { start, ...others } = useWork(stream)
    return {
      ...others,
      start() {
        showPane('test')
        showDetails(details)
        start()
      },
    }
  }
}
