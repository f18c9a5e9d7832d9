/** A manifest → its stream read whole, with the judgement of each slice and of all. */
import { readClaims } from '../../src/proof/claims/read-claims.ts'
import { trackKeys } from '../../src/proof/keys/track-keys.ts'
import { claimRulesOf, factsOf } from '../../src/proof/claims/page-facts.ts'
import { claimedIn } from '../../src/proof/receipts/receipt.ts'
import { addSlice, emptyTally, judgeStream } from '../../src/proof/verdict/judge-stream.ts'
import type { Judgement } from '../../src/proof/verdict/verdict.ts'
import { judgeSlice } from '../../src/proof/verdict/judge-slice.ts'
import { openStreamNamed } from '../../src/engine/streams-of.ts'
import { type LoadedManifest, type ReadOptions, stringifyJson } from '../../src/index.ts'
import { openRunOf, readPagesOf } from '../../src/read.ts'
import type { Claims } from '../../src/proof/claims/merge-claims.ts'

export type Judged = {
  readonly stream: Judgement
  readonly slices: readonly { readonly judgement: Judgement; readonly claims: Claims }[]
}

type ReadSoFar = { claims: Claims | null; keys: ReturnType<typeof trackKeys>; received: number }

export async function judge(manifest: LoadedManifest, options: ReadOptions): Promise<Judged> {
  const { run, close } = await openRunOf(manifest, options)
  try {
    const stream = await openStreamNamed(run, options.stream, options)
    const rules = claimRulesOf(stream)
    const reads = new Map<string, ReadSoFar>()
    const slices: { judgement: Judgement; claims: Claims }[] = []
    let tally = emptyTally
    for await (const page of readPagesOf(stream, options)) {
      const name = stringifyJson(page.slice)
      const read = reads.get(name) ?? {
        claims: null,
        keys: trackKeys({ primaryKey: stream.plan.primaryKey }),
        received: 0,
      }
      reads.set(name, read)
      // As a sync does after a crash: through the text of a note.
      const kept = read.claims === null ? null : (JSON.parse(JSON.stringify(read.claims)) as Claims)
      const claims = readClaims(kept, factsOf(page, rules.tokenNames), rules)
      read.claims = claims
      read.received += page.receivedCount
      read.keys.observe(page.records, page.index + 1)
      if (page.stop === null) continue
      const { received, keys } = read
      const judgement = judgeSlice({ received, stop: page.stop, claims, keys: keys.counts(), rules })
      slices.push({ judgement, claims })
      tally = addSlice(tally, { judgement, received, keys: null, claimed: claimedIn(claims) })
    }
    return { stream: judgeStream(tally), slices }
  } finally {
    await close()
  }
}
