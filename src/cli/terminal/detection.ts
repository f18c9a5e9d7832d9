/** What detection found out, for people. */
import type { Candidate, Detection } from '../../proof/detection/detection.ts'
import type { Probe } from '../../proof/probe.ts'
import { colours, fit, oneLine, tableOf } from './print.ts'
import { percentDecode } from '../../std/text/percent-decode.ts'

/** The result, its evidence, and the requests that were sent. */
export function detectionReport({ answer, says, candidates, probes }: Detection): string[] {
  const paint = answer === 'cannot-tell' ? colours.yellow : colours.green
  return [
    paint(oneLine(says)),
    ...candidates.flatMap((candidate) => candidateLines(candidate, answer !== 'cannot-tell')),
    '',
    ...probeTable(probes),
    '',
  ]
}

/** The candidate of the result needs no title: the result describes it. */
function candidateLines({ says, confidence, evidence, facts }: Candidate, isResult: boolean): string[] {
  const title = isResult ? [] : [`  ${oneLine(says)} (${confidence === 'shown' ? 'certain' : confidence})`]
  return [...title, ...[...evidence, `stops ${facts.stops}`].map((one) => `  ${isResult ? '' : '  '}${oneLine(one)}`)]
}

const widest = 70

function probeTable(probes: readonly Probe[]): string[] {
  const cells = probes.map(({ method, url, sent, why, status, saw }, index) => [
    String(index + 1),
    fit(oneLine(`${method} ${pathOf(url)}${sent === undefined ? '' : ` ${sent}`}`), widest),
    fit(oneLine(why), widest),
    status === null ? '–' : String(status),
    oneLine(saw),
  ])
  return tableOf(['', 'request', 'to find out', 'status', 'result'], cells, { numbers: [0] })
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + percentDecode(search)
}
