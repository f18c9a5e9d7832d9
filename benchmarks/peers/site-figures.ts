/** Results → what the homepage shows of them. */
import type { PeerChart, PeerFigures } from '../../src/site/homepage/peer-picture.ts'
import { millisecondsOf, ratesOf, type Results, type WorkloadResult } from './results.ts'
import { readerNames, readerTitles, type ReaderName, workloads } from './workloads.ts'

/** Pages ahead switched off is a setting for tests, and no reader of its own. */
const shown = readerNames.filter((name) => name !== 'turnleaf-off')

const charts = { read: 'responses at once', 'latency-100': 'responses after 100 ms' }

const columns = {
  read: 'records/s, responses at once',
  'latency-100': 'records/s, responses after 100 ms',
  duckdb: 'records/s into DuckDB',
  start: 'ms from start to first record',
}

export function siteFiguresOf(results: Results): PeerFigures {
  const { date, machine, versions } = results
  const resultOf = (name: string) => results.workloads.find((one) => one.name === name)
  return {
    date,
    machine: `${machine.cores} cores of ${machine.cpu}`,
    versions: Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    charts: Object.entries(charts).flatMap(([name, when]) => {
      const result = resultOf(name)
      return result === undefined ? [] : [chartOf(result, when)]
    }),
    table: {
      columns: ['reader', ...Object.values(columns)],
      rows: shown.map((reader) => [
        readerTitles[reader],
        ...Object.keys(columns).map((name) => cellOf(name, resultOf(name), reader)),
      ]),
    },
  }
}

/** The fastest first. */
function chartOf(result: WorkloadResult, when: string): PeerChart {
  const bars = shown.flatMap((name) => {
    const seconds = result.seconds[name]
    if (seconds === undefined) return []
    const value = Math.round(ratesOf(result, seconds).median)
    return [{ label: readerTitles[name], value, isOurs: name === 'turnleaf' }]
  })
  const { pages } = workloads.find(({ name }) => name === result.name) ?? { pages: 0 }
  return {
    id: result.name,
    title: 'Records per second',
    subtitle: `${pages.toLocaleString('en')} pages, ${when}`,
    bars: bars.toSorted((one, other) => other.value - one.value),
  }
}

/** A dash where a reader cannot do it. */
function cellOf(name: string, result: WorkloadResult | undefined, reader: ReaderName): string {
  const seconds = result?.seconds[reader]
  if (result === undefined || seconds === undefined) return '–'
  const { median } = name === 'start' ? millisecondsOf(seconds) : ratesOf(result, seconds)
  return Math.round(median).toLocaleString('en')
}
