/** Answers a second of the site against a bare `node:http` server that sends the same bytes. */
import autocannon from 'autocannon'
import { median } from './median.ts'
import { type Server, startServer } from './processes.ts'

const rounds = 5
const connections = 20
const secondsPerRound = 1

/** Each server has a process of its own, which is one core at most; the load comes from this one. */
async function open(kind: 'site' | 'bare', path: string): Promise<Server> {
  const { url, stop } = await startServer('site-server.js', kind, path)
  return { url: url + path, stop }
}

async function answersPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({ url, connections, duration: secondsPerRound, headers })
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`)
  return requests.average
}

/** Both in turn, round by round, so that a noisy neighbour disturbs them alike; the first round warms up. */
async function compare(
  path: string,
  headers: Record<string, string>,
): Promise<{ site: number; bare: number; ratio: number }> {
  const [site, bare] = [await open('site', path), await open('bare', path)]
  try {
    const measured: { site: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const rates = { bare: await answersPerSecond(bare.url, headers), site: await answersPerSecond(site.url, headers) }
      if (round > 0) measured.push(rates)
    }
    return {
      site: median(measured.map((rates) => rates.site)),
      bare: median(measured.map((rates) => rates.bare)),
      ratio: median(measured.map((rates) => rates.site / rates.bare)),
    }
  } finally {
    for (const { stop } of [site, bare]) stop()
  }
}

/** Negotiation costs most when there is something to negotiate. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' }

const cases: [name: string, path: string, headers: Record<string, string>][] = [
  ['homepage', '/', {}],
  ["homepage, a browser's Accept", '/', browser],
  ['catalog', '/.well-known/api-catalog', {}],
]

export async function benchmarkSite(): Promise<void> {
  console.log(
    `answers against bare node:http with the same bytes, ${connections} connections, medians of ${rounds} rounds`,
  )
  for (const [name, path, headers] of cases) {
    const { site, bare, ratio } = await compare(path, headers)
    console.log(`  ${name.padEnd(32)}${site.toFixed(0)} of ${bare.toFixed(0)} answers/s   ${ratio.toFixed(2)}`)
  }
}
