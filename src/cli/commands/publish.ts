/** `turnleaf publish` */
import { stringifyJson } from '../../std/json.ts'
import { publish } from '../../sync/publish.ts'
import { count, number } from '../../std/text/format-count.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { namedTables, type TablesChoice } from '../named-tables.ts'
import { oneLine, say } from '../terminal/print.ts'
import { withFailureReport } from '../report-error.ts'

export type PublishCommandOptions = TablesChoice & { readonly json?: boolean }

export function runPublish(stream: string, { json = false, ...given }: PublishCommandOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const { destination: to, connection } = await namedTables(given)
    const result = await publish(stream, { to, connection })
    if (json) process.stdout.write(`${stringifyJson(result)}\n`)
    const { before, after, to: address } = result
    say(`"${oneLine(stream)}" in ${address}: ${number(before)} → ${count(after, 'row')}, published.`)
    return 0
  })
}
