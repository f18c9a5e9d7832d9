/** Results → the tables in benchmarks/README.md. */
import { millisecondsOf, ratesOf, type Results, type Spread, timesOurs, type WorkloadResult } from './results.ts'
import { readerNames, readerTitles, type Workload, workloads } from './workloads.ts'

export const firstMark = '<!-- peers: written by `npm run bench:peers` -->'
export const lastMark = '<!-- /peers -->'

/** @returns the page with these tables in place of its own. */
export function withTables(page: string, results: Results): string {
  const [before, rest] = page.split(firstMark)
  const after = rest?.split(lastMark)[1]
  if (before === undefined || after === undefined) throw new Error(`benchmarks/README.md has no ${firstMark}`)
  return `${before}${firstMark}\n\n${tablesOf(results)}\n\n${lastMark}${after}`
}

/** @param read the workloads as they were read, where that was not in full. */
export function tablesOf({ date, machine, versions, workloads: measured }: Results, read = workloads): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const heading = `Measured on ${date}, ${machine.cores} cores of ${machine.cpu}, ${machine.system}: ${named.join(', ')}.`
  const tables = read.flatMap((workload) => {
    const result = measured.find(({ name }) => name === workload.name)
    return result === undefined ? [] : [tableOf(workload, result)]
  })
  return [heading, ...tables].join('\n\n')
}

function tableOf(workload: Workload, result: WorkloadResult): string {
  const rounds = Math.max(...Object.values(result.seconds).map(({ length }) => length))
  const isStart = workload.goal === 'start'
  const head = isStart
    ? ['', 'ms', 'lowest to highest', 'Turnleaf needs', 'aim']
    : ['', 'records/s', 'lowest to highest', 'Turnleaf is', 'aim']
  const rows = readerNames.flatMap((name) => {
    const seconds = result.seconds[name]
    if (seconds === undefined) return []
    const spread = isStart ? millisecondsOf(seconds) : ratesOf(result, seconds)
    const ratio = name === 'turnleaf' ? null : timesOurs(result, name)
    return [[readerTitles[name], ...figuresOf(spread), ...judged(workload, ratio, workload.targets[name])]]
  })
  const about = `${described(workload, result)}; ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}.`
  return [`### ${workload.title}`, about, tableText(head, rows)].join('\n\n')
}

function described({ slices, streams, pages, goal }: Workload, { records }: WorkloadResult): string {
  const count = `${counted(records)} records`
  if (goal === 'start') return 'From the start of the process to the first record it prints'
  if (slices !== null) return `${count}: ${slices} slices of ${pages} pages`
  if (streams > 1) return `${count}: ${streams} streams of ${pages} pages`
  return `${count} in ${counted(pages)} pages`
}

function figuresOf({ median, lowest, highest }: Spread): string[] {
  return [counted(median), `${counted(lowest)} to ${counted(highest)}`]
}

/** How Turnleaf compares, and whether that is what it should be. */
function judged({ goal }: Workload, ratio: number | null, target: number | undefined): string[] {
  if (ratio === null) return ['', '']
  if (goal === 'start') {
    const part = 1 / ratio
    const aim = target === undefined ? '' : `${target} at most: ${part <= target ? 'met' : 'missed'}`
    return [`${part.toFixed(2)} of its time`, aim]
  }
  const aim = target === undefined ? '' : `${target}: ${ratio >= target ? 'met' : 'missed'}`
  return [`${ratio.toFixed(ratio < 10 ? 2 : 1)} times as fast`, aim]
}

function counted(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
