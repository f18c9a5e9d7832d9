/** Where a stream's form writes: a stream that is made from others has its parts one level deeper. */
import type { Path } from '../../document/value-path.ts'
import { isObject } from '../../std/values/objects.ts'
import type { StreamPlace } from '../../document/stream-paths.ts'

export type FormPlace = {
  readonly path: Path
  /** What the form is about, where that is not the stream itself. */
  readonly note: string | null
}

/** @param value what is written for the stream, references followed */
export function formPlaceOf({ path, kind }: StreamPlace, value: unknown): FormPlace {
  if (kind === 'dynamic') {
    return {
      path: [...path, 'stream_template'],
      note: `This is a template: ${sourceOf(value)} Every change here changes all streams made from it.`,
    }
  }
  if (isObject(value) && value.type === 'StateDelegatingStream') {
    return {
      path: [...path, 'full_refresh_stream'],
      note: 'This stream has two forms. Shown is the one for the first sync; the one for later syncs is in YAML.',
    }
  }
  return { path, note: null }
}

function sourceOf(value: unknown): string {
  const resolver = isObject(value) && isObject(value.components_resolver) ? value.components_resolver : {}
  switch (resolver.type) {
    case 'HttpComponentsResolver':
      return 'one stream is made for each record of a response.'
    case 'ConfigComponentsResolver':
      return 'one stream is made for each item of an input.'
    case 'ParametrizedComponentsResolver':
      return 'one stream is made for each set of parameters in the manifest.'
    default:
      return 'streams are made from it when the connector runs.'
  }
}
