/** Reads of 10,000 pages against a bare loop of as many, each in a process of its own: what a page costs once the code is compiled. */
import { bareLoop } from './bare-loop.ts'
import { median } from './median.ts'
import { measureApart, startServer } from './processes.ts'

const pages = 10_000
const rounds = 5
const ways = ['bareLoop', 'readPages', 'readPages, pages ahead', 'readRecords', 'readRecords, pages ahead'] as const

type Half = { readonly seconds: number; readonly cpuSeconds: number }
type Round = Readonly<Record<(typeof ways)[number], Half>>

/** One after the other, round by round, so that a noisy neighbour disturbs all alike. */
async function measureRound(url: string): Promise<Round> {
  const halves = new Map<string, Half>()
  for (const way of ways) {
    halves.set(way, JSON.parse(await measureApart('long-read.js', url, way, String(pages))) as Half)
  }
  return Object.fromEntries(halves) as Round
}

export async function benchmarkLongReads(): Promise<void> {
  const { url, stop } = await startServer('page-server.js')
  try {
    // The server compiles its code, too.
    await bareLoop(url, { total: 300_000 })
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) measured.push(await measureRound(url))
    console.log(
      `the second half of ${pages.toLocaleString('en')} pages × 100 records of 1 KB, each in a process of its own, medians of ${rounds} rounds`,
    )
    for (const way of ways) {
      const middle = (figure: (round: Round) => number) => median(measured.map(figure))
      const rate = pages / 2 / middle((round) => round[way].seconds)
      const ratios = measured.map((round) => round.bareLoop.seconds / round[way].seconds)
      const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
      const processor = (middle((round) => round[way].cpuSeconds) / pages) * 2e6
      console.log(
        `  ${way.padEnd(26)}${rate.toFixed(0).padStart(6)} pages/s   ${median(ratios).toFixed(2)} (${spread})   ${processor.toFixed(0)} µs of processor time a page`,
      )
    }
  } finally {
    stop()
  }
}
