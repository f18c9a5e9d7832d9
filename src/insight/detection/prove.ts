/** What explains the probes → a manifest that was read with; or why none is given. */
import { ConnectorError } from '../../errors.ts'
import type { Candidate } from './detection.ts'
import type { Explanation } from './explain.ts'
import type { Given } from './given.ts'
import { manifestFor } from './manifest.ts'
import { stoppingAtEmpty, untilEmpty, variantsOf } from './variants.ts'
import { type Reread, reread, type RereadTools } from './reread.ts'

export type Proven = Explanation & { readonly manifest: string | null }

/** A manifest is given only where the engine read the first pages with it, and they are those that the probes showed. */
export async function prove(
  { open, redactor }: Given,
  explanation: Explanation,
  tools: Omit<RereadTools, 'config'>,
): Promise<Proven> {
  const [candidate] = explanation.candidates
  if (explanation.answer === 'cannot-tell' || candidate === undefined) return { ...explanation, manifest: null }
  const { records, endRule, expected } = explanation
  const config = { ...open.values, ...open.placeholders }
  const textFor = (one: Candidate) =>
    manifestFor({ open, candidate: one, reading: expected.reading, records, endRule, needed: expected.needed })
  let failed: Extract<Reread, { says: string }> | null = null
  const variants = variantsOf(candidate, expected)
  for (let variant = variants.shift(); variant !== undefined; variant = variants.shift()) {
    const manifest = textFor(variant)
    const tried = await reread(manifest, expected, { ...tools, config }).catch((error: unknown) => {
      throw error instanceof ConnectorError ? redactor.error(error) : error
    })
    switch (tried.kind) {
      case 'fits':
        return { ...explanation, ...withProof(explanation, variant, tried.says), manifest }
      case 'unfinished':
        return failed === null ? unfinished(explanation, candidate) : refuted(explanation, candidate, failed)
      case 'early':
        // Another size of page would end as early, only later: what was not read then is not seen here.
        variants.splice(0, variants.length, ...untilEmpty(variant))
        failed ??= tried
        break
      case 'endless':
        variants.splice(0, variants.length, ...stoppingAtEmpty(variant))
        failed ??= tried
        break
      case 'differs':
        failed ??= tried
    }
  }
  return failed === null ? { ...explanation, manifest: null } : refuted(explanation, candidate, failed)
}

function withProof(
  { answer, says }: Explanation,
  candidate: Candidate,
  proof: string,
): Pick<Explanation, 'says' | 'candidates'> {
  return {
    says: answer === 'paginated' ? `${candidate.says}.` : says,
    candidates: [{ ...candidate, evidence: [...candidate.evidence, proof] }],
  }
}

function unfinished(explanation: Explanation, candidate: Candidate): Proven {
  const says = `Most likely: ${candidate.says}. No request was left to check this by a read: allow more of them.`
  return cannotTell(explanation, { ...candidate, confidence: 'likely' }, says)
}

function refuted(explanation: Explanation, candidate: Candidate, { says }: { readonly says: string }): Proven {
  const sentence = `Not confirmed: ${candidate.says}. In a read with such a manifest, ${says.replace(/\.$/, '')}.`
  return cannotTell(explanation, { ...candidate, confidence: 'possible' }, sentence)
}

function cannotTell(explanation: Explanation, candidate: Candidate, says: string): Proven {
  return { ...explanation, answer: 'cannot-tell', says, candidates: [candidate], manifest: null }
}
