/** Names and values, with what changed next to them. */
import { count } from '../../../std/text/format-count.ts'
import type { RequestChange, ComparedValue } from './request-changes.ts'

export function ValueTable({
  title,
  values,
  changes,
}: {
  title: string
  values: readonly ComparedValue[]
  changes: number
}) {
  if (values.length === 0) return null
  return (
    <table className="values">
      <caption>
        {title}
        {changes > 0 && <span className="change"> {count(changes, 'change')} since the page before</span>}
      </caption>
      <tbody>
        {values.map(({ name, value, change }, index) => (
          <tr key={`${index} ${name}`} data-change={change.kind}>
            <th scope="row" className="mono">
              {name}
            </th>
            <td className="mono">
              {change.kind === 'gone' ? <s>{value}</s> : value}
              <ChangeWords change={change} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ChangeWords({ change }: { change: RequestChange }) {
  switch (change.kind) {
    case 'same':
      return null
    case 'changed':
      return <span className="change"> was {change.was === '' ? 'empty' : change.was}</span>
    default:
      return <span className="change"> {change.kind}</span>
  }
}
