/** A manifest with structural errors → what else is wrong with it, so that one run of `validate` reports everything. */
import type { ManifestDraft } from '../engine/manifest/check.ts'
import type { Problem } from '../std/errors.ts'
import { problemsOf, streamVerdicts, uniqueProblems } from './stream-verdicts.ts'
import { templateProblems } from './template-problems.ts'

/** Streams without an error are checked as ever; of the others, the templates. */
export async function draftProblems({ manifest, others }: ManifestDraft, folder: string | null): Promise<Problem[]> {
  const verdicts = await streamVerdicts(manifest, folder)
  return uniqueProblems([...problemsOf(verdicts), ...others.flatMap((one) => templateProblems(manifest, one))])
}
