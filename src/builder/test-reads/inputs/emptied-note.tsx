/** After a reload: which inputs were in the memory of the tab, and have to be typed again. */
import { useTabConfigs } from '../../session/inputs.ts'
import { emptiedNames, usedConfig } from '../../session/tab-configs.ts'
import { useSession } from '../../session/use-session.tsx'
import { inputsIn } from '../../settings/inputs/spec-inputs.ts'
import { describeInput } from './needed-inputs.ts'

export function EmptiedNote() {
  const all = useTabConfigs(useSession((session) => session.name))
  const root = useSession(({ document }) => document.value)
  const emptied = emptiedNames(usedConfig(all))
  const titles = inputsIn(root)
    .filter(({ name }) => emptied.includes(name))
    .map(({ name, schema }) => describeInput(name, schema).title)
  if (titles.length === 0) return null
  return (
    <p className="emptied-note" role="status">
      Secrets were in the memory of this tab, which the reload emptied. Type again: {titles.join(', ')}.
    </p>
  )
}
