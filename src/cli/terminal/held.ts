/** Streams whose table was not replaced: why, how to look at the new rows, how to accept them. */
import type { SyncResult } from '../../sync/events.ts'
import type { Held } from '../../sync/gate.ts'
import { number } from '../../std/text/format-count.ts'
import { placeArguments, quotedTable, shellWord } from '../destination-address.ts'
import { oneLine, say } from './print.ts'

export function sayHeld({ receipts, to, connection }: SyncResult, schema?: string): void {
  for (const { stream, held } of receipts) {
    if (held === undefined) continue
    say(`Stream "${oneLine(stream)}" was held: ${oneLine(held.reason)}.`)
    say(`  ${sayRows(held)}. The table was not changed.`)
    const place = placeArguments(to, schema)
    if (held.stagedAs !== null) {
      const sql = `select * from ${quotedTable(held.stagedAs, schema)} limit 5`
      say(`  look    npx turnleaf query${place} ${shellWord(sql)}`)
    }
    say(`  accept  npx turnleaf publish ${shellWord(stream)}${place} --connection ${shellWord(connection)}`)
    say('          or sync again with --accept-drop')
  }
}

/** `100 rows came, 250 are there` */
export function sayRows({ staged, existing }: Held): string {
  return `${number(staged)} ${staged === 1 ? 'row' : 'rows'} came, ${number(existing)} ${existing === 1 ? 'is' : 'are'} there`
}
