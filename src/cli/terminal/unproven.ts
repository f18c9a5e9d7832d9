/** Streams that prove less than `--require` asks for, in words. */
import { type Judgement, type Requirement, suffices } from '../../proof/verdict/verdict.ts'
import { sayVerdict } from '../../protocol/say.ts'
import { oneLine, say } from './print.ts'

type Judged = { readonly name: string; readonly ending: string; readonly proof: Judgement }

/** One that failed has said so already. */
export function sayUnproven(streams: readonly Judged[], required: Requirement): void {
  for (const { name, ending, proof } of streams) {
    if (ending !== 'complete' || suffices(proof.verdict, required)) continue
    say(
      `Stream "${oneLine(name)}" is ${oneLine(sayVerdict(proof))}; that is below the threshold set by --require ${required}${required === 'unproven' ? ' (the default)' : ''}.`,
    )
  }
}
