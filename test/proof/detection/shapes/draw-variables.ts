/** GraphQL whose query declares variables of any name: only the arguments show what they are for. */
import { type Drawing, type Drawn, drawSize } from './draw-paging.ts'
import type { Place, Quirk, Said, Token } from './shape.ts'

export function drawVariables({ dice, resource }: Drawing): { drawn: Drawn; quirk: Quirk; unknown: 'ignored' } {
  const style = dice.pick(['cursor', 'cursor', 'page', 'offset'] as const)
  const [tokenArgument, sizeArgument, tokenNames, sizeNames] = {
    cursor: ['after', 'first', ['after', 'c', 'endCursor', 'pos'], ['first', 'n', 'num', 'howMany']] as const,
    page: ['page', 'perPage', ['page', 'p', 'pageNo', 'nr'], ['perPage', 'n', 'size', 'pageSize']] as const,
    offset: ['offset', 'limit', ['offset', 'o', 'skip', 'from'], ['limit', 'n', 'take', 'lim']] as const,
  }[style]
  const [tokenName, sizeName] = [dice.pick(tokenNames), dice.pick(sizeNames)]
  const isRequired = dice.chance(0.4)
  const bang = isRequired ? '!' : ''
  const placed = (name: string) => ({ into: 'body_json' as const, path: ['variables', name] })
  const size = drawSize(dice, placed(sizeName))
  const token: Token =
    style === 'cursor'
      ? { counts: 'cursor', placed: placed(tokenName), cursor: 'opaque' }
      : style === 'page'
        ? { counts: 'page', placed: placed(tokenName), first: 1, zero: 'refused' }
        : { counts: 'offset', placed: placed(tokenName) }
  const isCursor = style === 'cursor'
  const type = isCursor ? 'String' : 'Int'
  const meta = isCursor ? 'pageInfo { hasNextPage endCursor }' : 'totalCount'
  const asked = `${resource}(${sizeArgument}: $${sizeName}, ${tokenArgument}: $${tokenName}) { nodes { id } ${meta} }`
  const query = `query List($${sizeName}: Int${bang}, $${tokenName}: ${type}, $state: String) { ${asked} }`
  const required = isRequired ? [sizeName] : []
  const isShown = dice.chance(0.4)
  const variables = { ...(isShown && { [sizeName]: size.usual }), ...(dice.chance(0.3) && { state: 'open' }) }
  const at: Place = ['body', 'data', resource]
  const says: Said[] = isCursor
    ? [{ at: [...at, 'pageInfo', 'hasNextPage'], what: 'has-more' }]
    : [{ at: [...at, 'totalCount'], what: 'total' }]
  return {
    drawn: {
      path: '/graphql',
      method: 'POST',
      paging: { token, size, pastEnd: 'empty' },
      says,
      next: isCursor ? { at: [...at, 'pageInfo', 'endCursor'], as: 'token', atEnd: 'null', isSigned: false } : null,
      recordPath: ['data', resource, 'nodes'],
      dress: 'plain',
      needsId: true,
      json: { query, variables },
    },
    quirk: { kind: 'variables', required, declared: [tokenName, sizeName, 'state'] },
    unknown: 'ignored',
  }
}
