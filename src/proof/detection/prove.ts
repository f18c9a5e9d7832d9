/** What explains the probes → a manifest that was read with; or why none is given. */
import { ConnectorError } from '../../std/errors.ts'
import type { Candidate } from './detection.ts'
import type { Explanation } from './explain.ts'
import type { Given } from './given.ts'
import { findLinkEnd, type LinkEnd } from './link-end.ts'
import { manifestFor } from './manifest.ts'
import { endsByAbsence, stoppingAtEmpty, stoppingAtShort, untilEmpty, variantsOf } from './variants.ts'
import { type Reread, reread, type RereadTools } from './reread.ts'

type Proven = Explanation & { readonly manifest: string | null }

/** A manifest is given only where the engine read the first pages with it, and they are those that the probes showed. */
export async function prove(
  { open, redactor, question }: Given,
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
  const end =
    endsByAbsence(candidate) && candidate.facts.token === null
      ? await findLinkEnd(question, candidate, expected, tools.asking)
      : 'unknown'
  const variants = variantsOf(candidate, expected)
  for (let variant = variants.shift(); variant !== undefined; variant = variants.shift()) {
    const manifest = textFor(variant)
    const tried = await reread(
      manifest,
      expected,
      { ...tools, config },
      endsByAbsence(variant) && end !== 'ends',
    ).catch((error: unknown) => {
      throw error instanceof ConnectorError ? redactor.error(error) : error
    })
    switch (tried.kind) {
      case 'fits':
        return { ...explanation, ...withProof(explanation, variant, tried, end), manifest }
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
      case 'loops':
        variants.splice(0, variants.length, ...endingBefore(variant, tried))
        failed ??= tried
        break
      case 'differs':
        failed ??= tried
    }
  }
  return failed === null ? { ...explanation, manifest: null } : refuted(explanation, candidate, failed)
}

/** Nothing tells a last page that is as full as the others. */
function endingBefore(variant: Candidate, { last, full }: Extract<Reread, { kind: 'loops' }>): Candidate[] {
  if (last === 0) return stoppingAtEmpty(variant)
  return last < full ? stoppingAtShort(variant, full) : []
}

function withProof(
  { answer, says }: Explanation,
  candidate: Candidate,
  { says: proof, isOpen }: Extract<Reread, { kind: 'fits' }>,
  end: LinkEnd,
): Pick<Explanation, 'says' | 'candidates'> {
  const evidence = [...candidate.evidence, ...sayEnd[end], proof]
  return {
    says: answer === 'paginated' ? `${candidate.says}.` : says,
    candidates: [{ ...candidate, evidence, ...(isOpen && { confidence: 'likely' }) }],
  }
}

const sayEnd: Readonly<Record<LinkEnd, readonly string[]>> = {
  ends: ['at the end no next page is named'],
  'names-another': ['at the end a next page is named as well: a read may not end there'],
  unknown: [],
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
