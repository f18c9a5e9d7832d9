/** Two strings compared line by line: what differs, with a few lines of context. */
import { Fragment, useMemo } from 'react'
import { changedRuns, type Line, lineDifference } from '../../document/line-difference.ts'
import './difference.css'

const linesAround = { usual: 3, small: 1 }
/** More rows than anybody reads, few enough to draw at once. */
const mostRows = 1500

const signs = { same: ' ', added: '+', removed: '−' }
const spoken = { same: '', added: 'added: ', removed: 'removed: ' }

export function Difference({
  before,
  after,
  beforeName,
  afterName,
  isSmall = false,
}: {
  readonly before: string
  readonly after: string
  /** The meaning of `−` and of `+`. */
  readonly beforeName: string
  readonly afterName: string
  /** For a change of a few lines in a narrow place: less around it, nothing before the first letter, lines that wrap. */
  readonly isSmall?: boolean
}) {
  const lines = useMemo(() => lineDifference(before, after), [before, after])
  const groups = useMemo(
    () => changedRuns(lines, isSmall ? linesAround.small : linesAround.usual, mostRows),
    [lines, isSmall],
  )
  const indent = isSmall ? commonIndent(groups.flat()) : 0
  const [removed, added] = (['removed', 'added'] as const).map(
    (kind) => lines.filter((line) => line.kind === kind).length,
  )
  return (
    <section
      className="difference"
      data-small={isSmall || undefined}
      aria-label={`Difference between ${beforeName} and ${afterName}`}
    >
      <p className="sum">
        {groups.length === 0 ? (
          'Nothing differs.'
        ) : (
          <>
            <span data-kind="removed">
              − {beforeName}: {removed}
            </span>
            <span data-kind="added">
              + {afterName}: {added}
            </span>
          </>
        )}
      </p>
      {/* Wide lines scroll, and the keyboard must reach them too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="lines mono" tabIndex={0} role="group" aria-label="Lines that differ">
        {groups.map((group, index) => (
          <Fragment key={`${group[0]?.kind} ${group[0]?.number}`}>
            {index > 0 && <div className="gap" />}
            {group.map(({ kind, number, text }) => (
              <div className="row" data-kind={kind} key={`${kind} ${number}`}>
                <span className="number">{number}</span>
                <span className="sign" aria-hidden="true">
                  {signs[kind]}
                </span>
                <span className="text">
                  {kind !== 'same' && <span className="hidden">{spoken[kind]}</span>}
                  {text.slice(indent)}
                </span>
              </div>
            ))}
          </Fragment>
        ))}
      </div>
    </section>
  )
}

/** Blanks that every line begins with. */
function commonIndent(lines: readonly Line[]): number {
  const indents = lines.filter(({ text }) => text.trim() !== '').map(({ text }) => text.search(/\S/))
  return indents.length === 0 ? 0 : Math.min(...indents)
}
