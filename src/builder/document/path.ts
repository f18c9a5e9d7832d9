/** Names and positions from the top of a manifest: `['streams', 0, 'name']`. */
export type Path = readonly (string | number)[]

export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
