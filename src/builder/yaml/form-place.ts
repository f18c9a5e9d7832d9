/** The form and the text show the same place: a part of the form → where it is written, and back. */
import { type StreamPlace, streamsUsing } from '../../document/stream-paths.ts'
import { follow } from '../../document/follow.ts'
import type { Path } from '../../document/value-path.ts'
import { type OutlinePart, type PageName, partOf } from '../editor/outline-parts.ts'
import { authenticatorGroups, baseUrlGroups } from '../settings/requester-groups.ts'
import { formPlaceOf } from '../stream/form-path.ts'
import { sectionAt } from '../stream/form-sections.ts'

/** @param spot what was edited last, which counts if it belongs to the part. Null where the part is no part of the text. */
export function textPlaceOf(root: unknown, part: OutlinePart, spot: Path | null): Path | null {
  switch (part.kind) {
    case 'none':
      return spot
    case 'stream': {
      const isInStream = spot !== null && spot.length > 1 && uses(streamsUsing(root, spot), part.stream)
      return isInStream ? spot : follow(root, part.stream.path).writtenAt
    }
    case 'page': {
      const places = placesOf(root, part.page)
      const isOnPage = spot !== null && places.some((place) => isWithin(spot, place))
      return isOnPage ? spot : (places[0] ?? null)
    }
  }
}

function placesOf(root: unknown, page: PageName): readonly Path[] {
  switch (page) {
    case 'base-url':
      return baseUrlGroups(root).map(({ at }) => at)
    case 'authentication':
      return authenticatorGroups(root).map(({ at }) => at)
    case 'inputs':
      return [['spec']]
    case 'versions':
    case 'sync':
      return []
  }
}

export type FormPart = {
  /** For the address; null where the form stays with what it shows. */
  readonly part: string | null
  /** The section of a stream's form; null where the place is in none. */
  readonly section: string | null
}

/** @param shown what the form showed last: a place that several streams share is shown in that stream. */
export function formPartAt(root: unknown, at: Path, shown: OutlinePart): FormPart {
  const page = (['inputs', 'authentication', 'base-url'] as const).find((one) =>
    placesOf(root, one).some((place) => isWithin(at, place)),
  )
  if (page !== undefined) return { part: partOf(page), section: null }
  const users = at.length > 1 ? streamsUsing(root, at) : []
  const stream = shown.kind === 'stream' && uses(users, shown.stream) ? shown.stream : users[0]
  if (stream === undefined) return { part: null, section: null }
  const form = formPlaceOf(stream, follow(root, stream.path).value)
  return { part: stream.name, section: sectionAt(root, form.path, at) }
}

function uses(users: readonly StreamPlace[], { path }: StreamPlace): boolean {
  return users.some((user) => user.path.join('/') === path.join('/'))
}

function isWithin(at: Path, place: Path): boolean {
  return place.every((key, index) => key === at[index])
}
