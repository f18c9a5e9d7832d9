/** GraphQL connections: the query names its variables, and the response says where its edges end. */
import { type Drawing, type Drawn, drawSize } from './draw-paging.ts'
import type { Place } from './shape.ts'

/** The query names its variables; their values select the page. */
export function drawGraphql({ dice, resource }: Drawing): Drawn {
  const variables = {
    token: dice.pick(['after', 'after', 'cursor', 'afterCursor']),
    size: dice.pick(['first', 'first', 'limit', 'pageSize']),
  }
  const parents = dice.pick([[resource], [resource], ['viewer', resource], ['shop', resource]])
  const isEdges = dice.chance(0.4)
  const list = isEdges ? 'edges { cursor node { id } }' : 'nodes { id }'
  const asked = `${resource}(first: $${variables.size}, after: $${variables.token}) { ${list} pageInfo { hasNextPage endCursor } }`
  const selection = parents.length === 1 ? asked : `${parents[0]} { ${asked} }`
  const query = `query List($${variables.size}: Int, $${variables.token}: String) { ${selection} }`
  const placed = (name: string) => ({ into: 'body_json' as const, path: ['variables', name] })
  const size = drawSize(dice, placed(variables.size))
  const given = dice.pick([
    { [variables.size]: size.usual },
    { [variables.size]: size.usual, [variables.token]: null },
    {},
  ])
  const at: Place = ['body', 'data', ...parents, 'pageInfo']
  return {
    path: dice.pick(['/graphql', '/api/graphql', '/admin/api/graphql.json']),
    method: 'POST',
    paging: { token: { counts: 'cursor', placed: placed(variables.token), cursor: 'opaque' }, size, pastEnd: 'empty' },
    says: [
      { at: [...at, 'hasNextPage'], what: 'has-more' },
      ...(dice.chance(0.3)
        ? [{ at: ['body', 'data', ...parents, 'totalCount'] as Place, what: 'total' as const }]
        : []),
    ],
    next: { at: [...at, 'endCursor'], as: 'token', atEnd: dice.chance(0.6) ? 'stays' : 'null', isSigned: false },
    recordPath: ['data', ...parents, isEdges ? 'edges' : 'nodes'],
    dress: isEdges ? 'edge' : 'plain',
    needsId: true,
    json: { query, variables: given },
  }
}
