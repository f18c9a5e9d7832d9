/** An answer as known server software writes it → the parameters that this software takes: tried first, and shown like any other. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { Answer } from './asking.ts'

type Dialect = {
  readonly isOf: (members: Members, answer: Answer) => boolean
  /** Where to begin, then how many. */
  readonly names: readonly string[]
}

const has = (members: Members, ...names: readonly string[]) => names.every((name) => Object.hasOwn(members, name))
const inside = (members: Members, name: string): Members => (isObject(members[name]) ? members[name] : {})

const dialects: readonly Dialect[] = [
  // Elasticsearch, OpenSearch
  {
    isOf: (body) => isList(inside(body, 'hits').hits) && (has(body, 'took') || has(inside(body, 'hits'), 'total')),
    names: ['from', 'size'],
  },
  // Solr
  { isOf: (body) => has(inside(body, 'response'), 'numFound', 'docs'), names: ['start', 'rows'] },
  // CouchDB views
  { isOf: (body) => has(body, 'total_rows', 'rows'), names: ['skip', 'limit'] },
  // ArcGIS
  {
    isOf: (body) => isList(body.features) && (has(body, 'objectIdFieldName') || has(body, 'exceededTransferLimit')),
    names: ['resultOffset', 'resultRecordCount'],
  },
  // Strapi
  {
    isOf: (body) => has(inside(inside(body, 'meta'), 'pagination'), 'pageCount', 'pageSize'),
    names: ['pagination[page]', 'pagination[pageSize]'],
  },
  {
    isOf: (body) => has(inside(inside(body, 'meta'), 'pagination'), 'start', 'limit'),
    names: ['pagination[start]', 'pagination[limit]'],
  },
  // OData
  { isOf: (body) => Object.keys(body).some((name) => /^@?odata\./.test(name)), names: ['$skip', '$top'] },
  // Socrata
  {
    isOf: (_body, { headers, url }) =>
      Object.keys(headers).some((name) => /^x-soda2-/i.test(name)) ||
      /\/resource\/\w{4}-\w{4}\.json$/.test(new URL(url).pathname),
    names: ['$offset', '$limit'],
  },
  // PostgREST, Supabase
  {
    isOf: (_body, { headers }) => /^(\*|\d+-\d+)\/(\*|\d+)$/.test(headers['content-range'] ?? ''),
    names: ['offset', 'limit'],
  },
]

/** None where the answer is like that of no known software. */
export function dialectNames(answer: Answer): readonly string[] {
  const members: Members = isObject(answer.body) ? answer.body : {}
  return dialects.find(({ isOf }) => isOf(members, answer))?.names ?? []
}
