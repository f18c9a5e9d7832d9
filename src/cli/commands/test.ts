/** `turnleaf test` */
import { writeFile } from 'node:fs/promises'
import { refuseConnectorName } from '../../connections/home-connectors.ts'
import { describeDiskError } from '../../std/disk/disk-error.ts'
import { ConnectorError } from '../../std/errors.ts'
import { type ConnectorTest, testConnector } from '../../recordings/test-connector.ts'
import { findConnectors } from '../../recordings/find-connectors.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { withFailureReport } from '../report-error.ts'
import { colours, noColours, say } from '../terminal/print.ts'
import { junitReport, sumOf, tapReport, textOfTest } from '../terminal/test-report.ts'

type TestCommandOptions = {
  readonly stream?: readonly string[]
  readonly update?: boolean
  readonly survey: boolean
  readonly reporter: 'text' | 'tap' | 'junit'
  readonly output?: string
}

/** Exit code 0 when every test passed, 1 when one failed, 2 when there is nothing to test. */
export function runConnectorTests(connectors: readonly string[], given: TestCommandOptions): Promise<number> {
  return withFailureReport(async () => {
    const { reporter, output, stream: streams, update, survey } = given
    const { signal, exitCode } = listenForInterrupt()
    const isShown = reporter === 'text' && output === undefined
    const tests: ConnectorTest[] = []
    for (const path of connectors) await refuseConnectorName(path)
    try {
      for (const folder of await findConnectors(connectors)) {
        const onResult = isShown
          ? (result: ConnectorTest['results'][number]) => void process.stdout.write(textOfTest(folder, result, colours))
          : () => {}
        tests.push({ ...(await testConnector(folder, { streams, update, survey, signal, onResult })), folder })
      }
    } catch (error) {
      const interrupted = exitCode()
      if (interrupted === null) throw error
      return interrupted
    }
    const report = reportIn(reporter, tests)
    if (output !== undefined) await writeReport(output, report)
    else if (!isShown) process.stdout.write(report)
    say(sumOf(tests))
    return tests.some(({ results }) => results.some(({ outcome }) => outcome === 'failed')) ? 1 : 0
  })
}

function reportIn(reporter: TestCommandOptions['reporter'], tests: readonly ConnectorTest[]): string {
  switch (reporter) {
    case 'tap':
      return tapReport(tests)
    case 'junit':
      return junitReport(tests)
    case 'text':
      return tests
        .flatMap(({ folder, results }) => results.map((result) => textOfTest(folder, result, noColours)))
        .join('')
  }
}

async function writeReport(path: string, report: string): Promise<void> {
  await writeFile(path, report).catch((cause: unknown) => {
    const message = `Cannot write ${path}: ${describeDiskError(cause) ?? String(cause)}.`
    throw new ConnectorError('cli/file', message, { cause })
  })
}
