/** What proves that a connector reads everything, or says why it does not: diagnosis, detection, survey. */
import { lines, linesType } from '../answers.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { detecting } from './detecting.ts'
import { diagnosing } from './diagnosing.ts'
import { surveying } from './surveying.ts'
import type { Turns } from '../read-limit.ts'
import { type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import { detectionEvent, detectionRequest } from '../wire/detection.ts'
import { diagnosisEvent, diagnosisRequest } from '../wire/diagnosis.ts'
import { surveyEvent, surveyRequest } from '../wire/survey.ts'

export function provingRoutes({ egress }: Services, connectors: Connectors, turns: Turns): Route[] {
  /** A turn, taken once the folder is found; null for a connector that is not saved yet. */
  async function begin(connector: string | undefined) {
    const folder = connector === undefined ? null : await connectors.findFolder(connector)
    const turn = turns.take()
    return { folder, egress, onEnd: () => turn[Symbol.dispose]() }
  }

  return [
    route({
      method: 'post',
      path: '/v1/diagnoses',
      id: 'startDiagnosis',
      tag: 'building',
      summary: 'What is wrong with how a stream turns its pages, and the change that mends it',
      description: 'Reads pages, and asks a few times more to find out why. Whoever hangs up ends it.',
      takes: { body: diagnosisRequest },
      answers: { 200: { description: 'One event a line.', body: diagnosisEvent, type: linesType } },
      problems: [429],
      handle: async ({ body, signal }) => lines(diagnosing(body, await begin(body.connector)), signal),
    }),
    route({
      method: 'post',
      path: '/v1/detections',
      id: 'startDetection',
      tag: 'building',
      summary: 'How the pages of an address, or of a stream, follow each other',
      description: 'Asks at most twelve times, one after the other. Whoever hangs up ends it.',
      takes: { body: detectionRequest },
      answers: { 200: { description: 'One event a line.', body: detectionEvent, type: linesType } },
      problems: [429],
      async handle({ body, signal }) {
        return lines(detecting(body, await begin('text' in body ? body.connector : undefined)), signal)
      },
    }),
    route({
      method: 'post',
      path: '/v1/surveys',
      id: 'startSurvey',
      tag: 'building',
      summary: 'Which faults of an API a stream survives, tells of, or is fooled by',
      description:
        'Reads from a local API that answers as the manifest expects, with one fault at a time. No other API is asked.',
      takes: { body: surveyRequest },
      answers: { 200: { description: 'One event a line.', body: surveyEvent, type: linesType } },
      problems: [429],
      handle: async ({ body, signal }) => lines(surveying(body, await begin(body.connector)), signal),
    }),
  ]
}
