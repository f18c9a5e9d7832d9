/** Names to try in requests, in the style of the API first; then as most APIs write, since parameters are not always written as fields are. */
import { looseSizes, type NameKind, pagingNames } from '../names/paging-names.ts'
import { type NameStyle, styled } from './name-style.ts'

export function namesOf(kind: NameKind, style: NameStyle): string[] {
  return styledAll(pagingNames[kind], style)
}

/** Tried only once something else was seen to ask for pages. */
export function looseSizeNames(style: NameStyle): string[] {
  return styledAll(looseSizes, style)
}

function styledAll(pool: readonly string[], style: NameStyle): string[] {
  const styles: NameStyle[] = [style, 'snake', 'camel']
  return [...new Set(styles.flatMap((one) => pool.map((words) => styled(words, one))))]
}

const headerNames: Readonly<Record<NameKind, readonly string[]>> = {
  page: ['X-Page', 'X-Page-Number', 'X-Page-No', 'Page'],
  offset: ['X-Offset', 'X-Skip', 'X-Start', 'Offset'],
  size: ['X-Limit', 'X-Per-Page', 'X-Page-Size', 'X-Size', 'X-Count', 'X-Take', 'Limit', 'Per-Page'],
  after: [],
  cursor: [
    'X-Cursor',
    'X-Next-Cursor',
    'X-Page-Token',
    'X-Next-Token',
    'X-Continuation-Token',
    'X-After',
    'X-Next-Page',
    'X-Marker',
  ],
}

export function headerNamesOf(kind: NameKind): readonly string[] {
  return headerNames[kind]
}
