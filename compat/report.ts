/** Reports → lines for people: one per connector, then what is missing, by reason. */
import type { ConnectorReport } from './connector.ts'
import type { Status, StreamReport } from './run-stream.ts'

export function connectorLine({ name, fault, streams }: ConnectorReport): string {
  if (fault !== null) return `${name.padEnd(34)} does not load: ${fault}`
  const count = (status: Status) => streams.filter((stream) => stream.status === status).length
  const rest = (['fails', 'unsupported', 'custom', 'excepted'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`)
  return `${name.padEnd(34)} ${count('runs')}/${streams.length} streams run${rest.length === 0 ? '' : `  (${rest.join(', ')})`}`
}

export function failureLines({ name, streams }: ConnectorReport): string[] {
  return streams
    .filter(({ status }) => status === 'fails')
    .map((stream) => `  ${name}/${stream.name}: ${stream.reasons.join('; ')}`)
}

export type Totals = {
  readonly connectors: number
  readonly loaded: number
  /** Connectors without custom code, and those of them that run every stream. */
  readonly declarative: number
  readonly declarativeWhole: number
  readonly streams: Readonly<Record<Status, number>>
  readonly checks: {
    readonly [check in 'turnsPages' | 'resumes' | 'parentsFirst']: { readonly passed: number; readonly of: number }
  }
}

export function totalsOf(reports: readonly ConnectorReport[]): Totals {
  const streams = reports.flatMap((report) => report.streams)
  const declarative = reports.filter((report) => report.streams.every(({ status }) => status !== 'custom'))
  const check = (name: 'turnsPages' | 'resumes' | 'parentsFirst') => {
    const asked = streams.filter((stream) => stream[name] !== null)
    return { passed: asked.filter((stream) => stream[name]).length, of: asked.length }
  }
  return {
    connectors: reports.length,
    loaded: reports.filter(({ fault }) => fault === null).length,
    declarative: declarative.length,
    declarativeWhole: declarative.filter(
      ({ fault, streams: own }) => fault === null && own.every(({ status }) => status === 'runs'),
    ).length,
    streams: Object.fromEntries(
      (['runs', 'fails', 'custom', 'unsupported', 'excepted'] as const).map((status) => [
        status,
        streams.filter((stream) => stream.status === status).length,
      ]),
    ) as Totals['streams'],
    checks: { turnsPages: check('turnsPages'), resumes: check('resumes'), parentsFirst: check('parentsFirst') },
  }
}

export function table(totals: Totals): string {
  const { streams, checks } = totals
  const all = Object.values(streams).reduce((sum, count) => sum + count, 0)
  const rows: [string, number, number][] = [
    ['connectors load', totals.loaded, totals.connectors],
    ['connectors without custom code run every stream', totals.declarativeWhole, totals.declarative],
    ['streams run', streams.runs, all],
    ['streams need a custom class, and name it', streams.custom, all],
    ['streams are listed exceptions', streams.excepted, all],
    ['streams read more than one page where they paginate', checks.turnsPages.passed, checks.turnsPages.of],
    ['streams request parents before children', checks.parentsFirst.passed, checks.parentsFirst.of],
    ['streams read a second time request only what is new', checks.resumes.passed, checks.resumes.of],
  ]
  const lines = rows.map(([what, passed, of]) => `| ${what} | ${passed} of ${of} |`)
  return ['| what | how many |', '| --- | --- |', ...lines].join('\n')
}

/** Reasons of streams that do not run, the most frequent first. */
export function reasonLines(reports: readonly ConnectorReport[]): string[] {
  const counts = new Map<string, number>()
  const count = (reason: string) => counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const { streams } of reports) for (const stream of streams) reasonsOf(stream).forEach(count)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, times]) => `${String(times).padStart(6)}  ${reason}`)
}

function reasonsOf({ status, reasons }: StreamReport): string[] {
  switch (status) {
    case 'runs':
      return []
    case 'unsupported':
      return reasons.map((type) => `not run yet: ${type}`)
    case 'excepted':
      return reasons.map((reason) => `excepted: ${reason}`)
    case 'custom':
      return reasons.map((reason) => `custom code: ${reason.split(' ')[0]}`)
    case 'fails':
      return reasons.map((reason) => `fails: ${reason.replaceAll(/"[^"]*"|`[^`]*`|\d+/g, '…').slice(0, 100)}`)
  }
}
