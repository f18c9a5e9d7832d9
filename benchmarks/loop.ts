/** For how long the server serves nobody else while it works on a manifest of 1.25 MB. */
import { measureApart, startServer } from './processes.ts'

export async function benchmarkLoop(): Promise<void> {
  const { url, stop } = await startServer('extreme-server.js')
  try {
    const results = JSON.parse(await measureApart('server-loop.js', url)) as Record<
      string,
      { first: number; later: number; took: number }
    >
    console.log('the server and a manifest of 1.25 MB: the longest turn of its loop, processor time')
    console.log(`  ${''.padEnd(32)}${'first time'.padStart(12)}${'later'.padStart(12)}${'takes'.padStart(12)}`)
    for (const [name, { first, later, took }] of Object.entries(results)) {
      const figures = [first, later, took].map((value) => `${value.toFixed(0)} ms`.padStart(12))
      console.log(`  ${name.padEnd(32)}${figures.join('')}`)
    }
  } finally {
    stop()
  }
}
