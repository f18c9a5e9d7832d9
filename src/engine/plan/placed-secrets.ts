/** Templates of a manifest × config → where a request holds a piece of a secret that is too short to be found by its text. */

/** Where a template puts its value; a null name is all of it. */
export type SecretPlace =
  | { readonly in: 'header' | 'parameter' | 'body'; readonly name: string | null }
  | { readonly in: 'path' }
  /** A whole value, such as that of a slice. */
  | { readonly in: 'value' }
  /** Nowhere in a request: only errors show it, in quotes. */
  | { readonly in: 'words' }

export type PlacedSecret = {
  readonly place: SecretPlace
  /** Null where it depends on what is known only later: whatever is at that place is hidden. */
  readonly text: string | null
}

/** Fields that hold members with the names of headers, parameters or members of a body. */
const carriers: Readonly<Record<string, 'header' | 'parameter' | 'body'>> = {
  request_headers: 'header',
  refresh_request_headers: 'header',
  request_parameters: 'parameter',
  request_body: 'body',
  request_body_json: 'body',
  request_body_data: 'body',
  refresh_request_body: 'body',
}

const addresses = new Set(['path', 'url', 'url_base'])

/** The place of this member of a component, or of what is within the field of a component that `around` is the place of. */
export function placeWithin(node: object, name: string, around: SecretPlace): SecretPlace {
  const { type } = node as { type?: unknown }
  const carrier = carriers[name]
  if (carrier !== undefined && around.in === 'words') return { in: carrier, name: null }
  if (addresses.has(name) && around.in === 'words') return { in: 'path' }
  if (type === 'ListPartitionRouter' && name === 'values') return { in: 'value' }
  if (around.in !== 'header' && around.in !== 'parameter' && around.in !== 'body') return around
  const isNamed = !Array.isArray(node) && !(typeof type === 'string' && name === 'value')
  return isNamed ? { in: around.in, name } : around
}
