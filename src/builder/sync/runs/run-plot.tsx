/** Records and duration of the latest runs. The table of runs has the same figures. */
import { count, number } from '../../../std/text/format-count.ts'
import { exactly } from '../../relative-time.ts'
import { roundDuration } from '../../durations.ts'
import { plotOf } from './plot.ts'
import type { ConnectorRun } from '../../../server/wire/run.ts'

export function RunPlotView({ runs }: { readonly runs: readonly ConnectorRun[] }) {
  const plot = plotOf(runs)
  if (plot === null) return null
  const { width, height, mostRecords, longestMs } = plot
  const said = `${count(plot.runs.length, 'run')}, up to ${count(mostRecords, 'record')} and ${roundDuration(longestMs)}`
  return (
    <figure className="run-plot">
      <figcaption>
        <span className="key of-records">Records, up to {number(mostRecords)}</span>
        <span className="key took">Duration, up to {roundDuration(longestMs)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={said}>
        {plot.runs.map((run) => (
          <rect
            key={run.run}
            className="bar"
            x={run.x - run.barWidth / 2}
            y={run.barTop}
            width={run.barWidth}
            height={height - run.barTop}
          >
            <title>{`${exactly(run.startedAt)}: ${count(run.records, 'record')}, ${roundDuration(run.ms)}`}</title>
          </rect>
        ))}
        <polyline className="line" points={plot.runs.map(({ x, lineY }) => `${x},${lineY}`).join(' ')} />
      </svg>
    </figure>
  )
}
