/** Manifest + config → a function that hides their secrets in text. */
import type { Manifest } from '../engine/manifest/manifest.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import type { Config } from '../engine/plan/plan.ts'
import type { RequesterPlan } from '../engine/plan/requester.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import { secretTexts } from '../engine/auth/secret-texts.ts'
import { createRedactor } from '../engine/secrets/redact.ts'

export type Redact = (text: string) => string

/** Hides secrets that the spec declares and, with a plan, the values that its authentication uses. */
export function redactorFor(manifest: Manifest, config: Config, plan?: StreamPlan): Redact {
  const used = plan === undefined ? [] : requestersOf(plan).flatMap(({ auth }) => secretTexts(auth, config))
  return createRedactor([...secretsOf(manifest, config), ...used]).text
}

function requestersOf({ requester, job }: StreamPlan): RequesterPlan[] {
  const ofJob = job === null ? [] : [job.create, job.poll, job.list, job.abort, job.delete]
  return [requester, ...ofJob].filter((one) => one !== null)
}
