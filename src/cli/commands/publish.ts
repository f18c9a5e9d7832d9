/** `turnleaf publish` */
import { stringifyJson } from '../../std/json.ts'
import { publish } from '../../sync/publish.ts'
import { count, number } from '../../std/text/format-count.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { type DestinationChoice, destinationFrom } from '../destination-address.ts'
import { oneLine, say } from '../terminal/print.ts'
import { withFailureReport } from '../report-failure.ts'

export type PublishCommandOptions = DestinationChoice & {
  readonly connection?: string
  readonly json?: boolean
}

export function runPublish(
  stream: string,
  { connection, json = false, ...given }: PublishCommandOptions,
): Promise<number> {
  return withFailureReport(async (learn) => {
    learn(withoutPasswords)
    const result = await publish(stream, { to: destinationFrom(given), connection })
    if (json) process.stdout.write(`${stringifyJson(result)}\n`)
    const { before, after, to } = result
    say(`"${oneLine(stream)}" in ${to}: ${number(before)} → ${count(after, 'row')}, published.`)
    return 0
  })
}
