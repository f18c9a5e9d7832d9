/** Finding out what is wrong with a stream, shown where its pages are. */
import type { DiagnosisEvent } from '../../server/wire/diagnosis.ts'
import { showPane } from '../editor/edit-or-test.ts'
import { createWork, type RunningWork } from '../proofs/work.ts'
import { showDetails } from '../test-reads/open-tab.ts'

const useRun = createWork<DiagnosisEvent>('/v1/diagnoses')

export function useDiagnosis(stream: string): RunningWork<DiagnosisEvent> {
  const { start, ...others } = useRun(stream)
  return {
    ...others,
    start() {
      showPane('test')
      showDetails('diagnosis')
      start()
    },
  }
}
