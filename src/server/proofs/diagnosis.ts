/** A stream of a manifest → its diagnosis, as events. */
import { loadInSteps } from '../../connector/load-manifest.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import type { Diagnosis, Finding } from '../../proof/diagnosis/diagnosis.ts'
import { diagnose } from '../../proof/diagnosis/diagnose.ts'
import { findingTitles } from '../../proof/diagnosis/finding-codes.ts'
import type { Probe } from '../../proof/probe.ts'
import { problemOf } from '../responses.ts'
import { withoutSecretsOf } from '../request-secrets.ts'
import type { diagnosisRequest } from '../wire/diagnosis.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { z } from 'zod'
import { asItIs } from '../wrap-network.ts'
import { progressOf, type WorkTools } from './progress.ts'

/** With the title of each finding. */
type TitledDiagnosis = Omit<Diagnosis, 'findings'> & { readonly findings: readonly (Finding & { title: string })[] }

export type DiagnosisEvent =
  | { readonly kind: 'page'; readonly page: number; readonly received: number }
  | { readonly kind: 'probe'; readonly probe: Probe }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'end'; readonly diagnosis: TitledDiagnosis | null; readonly problem: ApiProblem | null }

export function diagnosing(
  { text, config, stream, maxPages }: z.output<typeof diagnosisRequest>,
  { folder, egress, wrapNetwork = asItIs, onEnd }: WorkTools,
): AsyncIterableIterator<DiagnosisEvent> {
  return progressOf<DiagnosisEvent>({
    waiting: { kind: 'waiting' },
    failed: (error) => ({
      kind: 'end',
      diagnosis: null,
      problem: problemOf(withoutSecretsOf({ text, config }, error)),
    }),
    onEnd,
    async run(send, signal) {
      // Diagnosis hides secrets itself; this also hides them in text of custom classes and responses.
      const redactor = createRedactor(secretsOf(await loadInSteps(text), config))
      const network = wrapNetwork(openNetwork({ egress }))
      try {
        const place = folder === null ? {} : { folder }
        const onProbe = (probe: Probe) => send({ kind: 'probe', probe: redactor.value(probe) as Probe })
        const diagnosis = await diagnose(text, {
          stream,
          config,
          maxPages,
          network,
          signal,
          onProbe,
          ...place,
          onPage: ({ number: page, received }) => send({ kind: 'page', page, received }),
        })
        return { kind: 'end', diagnosis: titled(redactor.value(diagnosis) as Diagnosis), problem: null }
      } catch (error) {
        throw redactor.error(error)
      } finally {
        await network.close()
      }
    },
  })
}

function titled({ findings, ...diagnosis }: Diagnosis): TitledDiagnosis {
  return { ...diagnosis, findings: findings.map((finding) => ({ ...finding, title: findingTitles[finding.code] })) }
}
