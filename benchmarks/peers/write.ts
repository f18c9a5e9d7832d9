/** Results → every file made from them: tables, pictures, and the figures of the homepage. */
import { readFileSync, writeFileSync } from 'node:fs'
import { chartFile, drawChart } from '../../src/site/homepage/peer-picture.ts'
import type { Results } from './results.ts'
import { siteFiguresOf } from './site-figures.ts'
import { withTables } from './tables.ts'

const page = 'benchmarks/README.md'
const figuresFile = 'src/site/homepage/peer-figures.ts'
const schemes = ['light', 'dark'] as const

/** Path → text. */
export function filesOf(results: Results): ReadonlyMap<string, string> {
  const figures = siteFiguresOf(results)
  const pictures = figures.charts.flatMap((chart) =>
    schemes.map((scheme): [string, string] => [
      `benchmarks/peers/${chartFile(chart, scheme)}`,
      drawChart(chart, scheme),
    ]),
  )
  const code = `/** Written by \`npm run bench:peers\` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = ${JSON.stringify(figures, null, 2)}
`
  return new Map([[page, withTables(readFileSync(page, 'utf8'), results)], [figuresFile, code], ...pictures])
}

export function writeFiles(results: Results): void {
  for (const [path, text] of filesOf(results)) writeFileSync(path, text)
}
