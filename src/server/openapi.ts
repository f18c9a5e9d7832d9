/** Facts + routes → the OpenAPI description of {api_url}, from the schemas that check requests. */
import { z } from 'zod'
import type { SiteFacts } from '../site/facts.ts'
import { type ProblemStatus, problemType } from '../site/problem.ts'
import { reasonPhrases } from '../std/text/reason-phrases.ts'
import { type ResponseShape, type Route, tags } from './route.ts'
import { apiProblem } from './wire/problem.ts'

type Schemas = Record<string, object>

export function describeApi(
  { baseUrl, apiUrl, version }: SiteFacts,
  routes: readonly Route[],
  hasToken: boolean,
): object {
  const schemas: Schemas = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path] as object, { [route.method]: operationOf(route, hasToken, schemas) })
  }
  // Referenced by every problem response.
  schemaOf(apiProblem, 'output', schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnleaf API',
      version,
      description: `The data plane of Turnleaf: connectors, test reads, syncs. The builder at ${apiUrl}/ uses nothing else. See ${baseUrl}/.`,
      contact: { name: 'Turnleaf', url: `${baseUrl}/` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl }],
    security: hasToken ? [{ token: [] }] : [],
    tags: Object.entries(tags)
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      ...(hasToken && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
  }
}

function operationOf(route: Route, hasToken: boolean, schemas: Schemas) {
  const { id, tag, summary, description, takes, responses, problems = [], isOpen } = route
  const parameters = [...parametersOf(takes.path, 'path', schemas), ...parametersOf(takes.query, 'query', schemas)]
  const statuses = [...new Set([...problems, ...usualProblems(route, hasToken)])].toSorted((one, other) => one - other)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(isOpen === true && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(takes.body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(takes.body, 'input', schemas) } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, shape]) => [status, responseOf(shape, schemas)])),
      ...Object.fromEntries(statuses.map((status) => [status, problemResponse(status)])),
    },
  }
}

/** Problems of every operation: limits of the parser, guards, unexpected errors. */
function usualProblems({ takes: { path, query, body }, isOpen }: Route, hasToken: boolean): ProblemStatus[] {
  const statuses: ProblemStatus[] = [403, 431, 500]
  if ([path, query, body].some((schema) => schema !== undefined)) statuses.push(400)
  if (body !== undefined) statuses.push(413, 415)
  if (hasToken && isOpen !== true) statuses.push(401)
  return statuses
}

function responseOf({ description, body, type = 'application/json', ...shape }: ResponseShape, schemas: Schemas) {
  const { headers, content = body === undefined ? undefined : { [type]: body } } = shape
  return {
    description,
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, words]) => [name, { description: words, schema: { type: 'string' } }]),
      ),
    }),
    ...(content !== undefined && {
      content: Object.fromEntries(
        Object.entries(content).map(([name, schema]) => [name, { schema: schemaOf(schema, 'output', schemas) }]),
      ),
    }),
  }
}

function problemResponse(status: ProblemStatus) {
  return {
    description: reasonPhrases[status],
    content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', schemas: Schemas) {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input', schemas) as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...kind }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: kind,
  }))
}

/** Named schemas move to `components`, where operations refer to them. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): object {
  // Wrapped, so that the outermost schema is referred to by its name as well.
  const made = z.toJSONSchema(z.object({ it: schema }), { io, unrepresentable: 'any' })
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $defs = {}, properties } = JSON.parse(text) as { $defs?: Schemas; properties: { it: object } }
  for (const [name, definition] of Object.entries($defs)) schemas[name] = withoutId(definition)
  return properties.it
}

/** Zod adds the name of a schema as `id`, which is not part of JSON Schema. */
function withoutId(schema: object): object {
  const { id: _id, ...rest } = schema as { id?: unknown }
  return rest
}
