/** What the names in an answer say about the pages after it, whatever the manifest takes them for. */
import { envelopesIn } from '../claims/envelopes.ts'
import { claimsIn, type Found } from '../claims/envelope-claims.ts'
import { claimsInHeaders } from '../claims/header-claims.ts'
import type { WalkedPage } from './walked-page.ts'

/** The manifest's own reading is left out: its stop condition may be inverted, its cursor may be another link. */
export function namedClaims({ answer }: Pick<WalkedPage, 'answer'>, recordPath: readonly string[] | null): Found {
  if (answer === null) return { numbers: [], nexts: [], previous: [], starts: [] }
  const path = recordPath?.length === 0 ? null : recordPath
  const found = [claimsInHeaders(answer.headers), ...envelopesIn(answer.body, path).map((one) => claimsIn(one))]
  return {
    numbers: found.flatMap(({ numbers }) => numbers),
    nexts: found.flatMap(({ nexts }) => nexts),
    previous: found.flatMap(({ previous }) => previous),
    starts: found.flatMap(({ starts }) => starts),
  }
}
