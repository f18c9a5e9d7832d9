/** `turnleaf publish` */
import { stringifyJson } from '../json.ts'
import { publish } from '../sync/publish.ts'
import { count, number } from '../words.ts'
import { withoutPasswords } from './arguments.ts'
import { type DestinationChoice, destinationFrom } from './destination-address.ts'
import { oneLine, say } from './print.ts'
import { reported } from './traced.ts'

export type PublishCommandOptions = DestinationChoice & {
  readonly connection?: string
  readonly json?: boolean
}

export function runPublish(
  stream: string,
  { connection, json = false, ...given }: PublishCommandOptions,
): Promise<number> {
  return reported(async (learn) => {
    learn(withoutPasswords)
    const result = await publish(stream, { to: destinationFrom(given), connection })
    if (json) process.stdout.write(`${stringifyJson(result)}\n`)
    const { before, after, to } = result
    say(`"${oneLine(stream)}" in ${to}: ${number(before)} → ${count(after, 'row')}, published.`)
    return 0
  })
}
