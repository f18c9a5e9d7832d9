/** `concurrency_level` → how many slices are read side by side. */
import { ConnectorError } from '../../std/errors.ts'
import { componentIn, numberIn, type PlanInput } from './read-fields.ts'

/** Airbyte reads two where a manifest is silent; four keep an API busy without crowding it. */
const usual = 4

export function planConcurrency(input: PlanInput): number {
  const level = componentIn(input.manifest.root, 'concurrency_level')
  if (level === null) return usual
  const wanted = numberIn(input, level, 'default_concurrency') ?? usual
  const most = numberIn(input, level, 'max_concurrency') ?? Number.POSITIVE_INFINITY
  const width = Math.floor(Math.min(wanted, most))
  if (width >= 1) return width
  const message = `\`concurrency_level\` gives ${width}; at least one slice must be read at a time.`
  throw new ConnectorError('plan/invalid-number', message, { at: input.manifest.at(level) })
}
