/** Names and positions from the top of a manifest: `['streams', 0, 'name']`. */
export type Path = readonly (string | number)[]

export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The same the other way round; digits are taken for a position. */
export function pathOf(pointer: string): Path {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
}
