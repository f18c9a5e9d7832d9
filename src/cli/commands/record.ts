/** `turnleaf record` */
import { shownPath } from '../../connections/find-connection.ts'
import { loadManifest } from '../../connector/load-manifest.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import { statesIn } from '../../protocol/state-input.ts'
import { recordConnector, type RecordedStream } from '../../recordings/record-connector.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import type { ProtocolOptions } from '../arguments.ts'
import { shellWord } from '../destination-address.ts'
import { openState } from '../files.ts'
import { orInterrupted } from '../interrupt.ts'
import { openNamedSource, savingTo } from '../open-named-source.ts'
import { reportError, withFailureReport } from '../report-error.ts'
import { colours, oneLine, say } from '../terminal/print.ts'

type RecordCommandOptions = Partial<ProtocolOptions> & {
  readonly stream?: readonly string[]
  readonly state?: string
  readonly maxPages?: number
  readonly maxSlices?: number
  readonly recordsPerPage?: number
  readonly survey: boolean
}

/** Exit code 0 when every stream was recorded, 1 when one was not. */
export function runRecord(name: string | undefined, given: RecordCommandOptions): Promise<number> {
  return withFailureReport(async (learn) => {
    if (given.manifestPath === '-') {
      const hint = 'Give the path of the manifest.'
      throw new ConnectorError('cli/arguments', 'A manifest from standard input has no folder for recordings.', {
        hint,
      })
    }
    const opened = await openNamedSource('record', name, given)
    const { source, config } = opened
    const { onConfig, atEnd } = savingTo(opened)
    const redact = createRedactor(secretsOf(loadManifest(source.text, source), config)).text
    learn(redact)
    const states = given.state === undefined ? undefined : statesIn(await openState(given.state))
    const { stream: streams, maxPages, maxSlices, recordsPerPage, survey } = given
    const says = 'Interrupted: streams that were not recorded completely keep their earlier recording.'
    return orInterrupted(says, async (signal) => {
      const results = await recordConnector(source.file, {
        config,
        streams,
        states,
        maxPages,
        maxSlices,
        recordsPerPage,
        survey,
        signal,
        onConfig,
        onResult: (result) => show(result, redact),
      })
      if (results.some(({ error }) => error !== null)) return 1
      say(`  test  npx turnleaf test ${shellWord(given.manifestPath ?? shownPath(source.file))}`)
      return 0
    }).finally(atEnd)
  })
}

function show(
  { stream, file, requests, records, hasEnd, error }: RecordedStream,
  redact: (text: string) => string,
): void {
  if (error === null) {
    const end = hasEnd ? '' : ', without the last page'
    const what = `${count(requests, 'request')}, ${count(records, 'record')}${end}`
    process.stdout.write(`${oneLine(`recorded ${stream}: ${what} → ${shownPath(file ?? '')}`)}\n`)
    return
  }
  say(`${colours.red('not recorded')} ${oneLine(stream)}`)
  reportError(error, redact)
}
