/** Which field a problem is about, where the error names only its stream. */
import { follow } from '../../../document/follow.ts'
import type { Path } from '../../../document/value-path.ts'
import type { ReadProblem } from '../read-state.ts'

const fixedValues = ['request_parameters', 'request_headers', 'request_body_json', 'request_body_data'] as const

/** Of two places that send the same value, the fixed one: it is the one to remove. */
export function fieldOfProblem(
  root: unknown,
  streamAt: Path,
  { code, detail }: Pick<ReadProblem, 'code' | 'detail'>,
): Path | null {
  if (code !== 'request/option-collision') return null
  const [, name] = /`([^`]+)`/.exec(detail) ?? []
  if (name === undefined) return null
  const requesterAt = [...streamAt, 'retriever', 'requester']
  const places = fixedValues.flatMap((key) => [
    [...requesterAt, key, name],
    [...requesterAt, key, ...name.split('.')],
  ])
  const found = places.map((path) => follow(root, path)).find(({ value }) => value !== undefined)
  return found?.writtenAt ?? null
}
