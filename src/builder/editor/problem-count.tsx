/** How many problems there are; leads to them in the text. */
import { Icon } from '../icons.tsx'
import { goTo } from '../place.ts'
import { useInspection } from '../session/use-inspection.ts'
import { useSession } from '../session/use-session.tsx'

export function ProblemCount() {
  const trouble = useSession((session) => session.trouble)
  const found = useInspection()?.problems.filter(({ severity }) => severity !== 'note').length ?? 0
  const count = trouble === null ? found : Math.max(found, 1)
  if (count === 0) return null
  return (
    <button type="button" className="button quiet problem-count" onClick={() => goTo({ view: 'yaml' })}>
      <Icon name="warning" />
      {count === 1 ? '1 problem' : `${count} problems`}
    </button>
  )
}
