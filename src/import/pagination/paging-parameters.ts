/** A described parameter → whether it asks for a page, an offset, a cursor or a page size. */
import { isNameOf, type NameKind, rankOf } from '../../proof/names/paging-names.ts'
import type { DescribedParameter } from '../description.ts'

const isNumeric = ({ type }: DescribedParameter) =>
  type === 'integer' || type === 'number' || type === null || type === 'string'

export function isPage(parameter: DescribedParameter): boolean {
  return isNameOf('page', parameter.name) && isNumeric(parameter)
}

export function isOffset(parameter: DescribedParameter): boolean {
  // `from` and `start` are dates as often.
  const isDate = /date|time|iso|timestamp|epoch/i.test(parameter.words)
  return (
    isNameOf('offset', parameter.name) &&
    isNumeric(parameter) &&
    !(isDate && parameter.type === 'string') &&
    !isLooseText(parameter)
  )
}

/** Of these names only a number is an offset. */
function isLooseText({ name, type, words }: DescribedParameter): boolean {
  if (!/^(from|start|begin|position|since|start[-_]?(at|from))$/i.test(name)) return false
  return type === 'string' || type === null || /date|time|timestamp|epoch/i.test(words)
}

export function isCursor(parameter: DescribedParameter): boolean {
  const { name, type, words } = parameter
  if (!isNameOf('cursor', name) || isPage(parameter) || isOffset(parameter)) return false
  if (
    /^(from|since|start|position|token|next|before|after)$/i.test(name) &&
    /date|time|timestamp|password|auth|access/i.test(words)
  )
    return false
  return type !== 'boolean' && type !== 'array' && type !== 'object'
}

export function isSize(parameter: DescribedParameter): boolean {
  return isNameOf('size', parameter.name) && isNumeric(parameter) && parameter.type !== 'string'
}

/** Everything that turns pages: sending a default of one of them would fix the page. */
export function movers(parameters: readonly DescribedParameter[]): string[] {
  return parameters.filter((one) => isPage(one) || isOffset(one) || isCursor(one)).map(({ name }) => name)
}

/** The one whose name says it most clearly. */
export function best(parameters: readonly DescribedParameter[], kind: NameKind): DescribedParameter | undefined {
  return parameters.toSorted((one, other) => rankOf(kind, one.name) - rankOf(kind, other.name))[0]
}

export function firstPage({ fallback, minimum, words }: DescribedParameter): number {
  const given = Number(fallback ?? minimum ?? Number.NaN)
  if (given === 0 || given === 1) return given
  return /zero[- ](based|indexed)|\b0[- ](based|indexed)|(start|begin)\w* (at|from|with) (0|zero)\b|first page is 0/i.test(
    words,
  )
    ? 0
    : 1
}
