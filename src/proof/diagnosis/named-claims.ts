/** A response → what the names in it say about other pages. Loaded by the builder as well, so without the engine. */
import { type Found, claimsIn } from '../claims/envelope-claims.ts'
import { envelopesIn } from '../claims/envelopes.ts'
import { claimsInHeaders } from '../claims/header-claims.ts'

type Answered = {
  readonly response: { readonly body: unknown; readonly headers: Readonly<Record<string, string>> } | null
}

/** Without what the manifest declares: its stop condition may be inverted, its cursor may be another link. */
export function namedClaims({ response }: Answered, recordPath: readonly string[] | null): Found {
  if (response === null) return { numbers: [], nexts: [], previous: [], starts: [] }
  const path = recordPath?.length === 0 ? null : recordPath
  const found = [claimsInHeaders(response.headers), ...envelopesIn(response.body, path).map((one) => claimsIn(one))]
  return {
    numbers: found.flatMap(({ numbers }) => numbers),
    nexts: found.flatMap(({ nexts }) => nexts),
    previous: found.flatMap(({ previous }) => previous),
    starts: found.flatMap(({ starts }) => starts),
  }
}
