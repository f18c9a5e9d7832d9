/** The parameters and the body of an operation → one list, those of the path included. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { DescribedParameter } from '../description.ts'
import { isTemplateLike } from '../input-names.ts'
import type { References } from './references.ts'
import type { SchemaView, ViewOf } from './schema-view.ts'

export type Reading = { readonly references: References; readonly viewOf: ViewOf }

/** Those of the operation replace those of the path with the same name and place. */
export function operationParameters(
  pathItem: Members,
  operation: Members,
  { references, viewOf }: Reading,
): DescribedParameter[] {
  const found = new Map<string, DescribedParameter>()
  for (const list of [pathItem.parameters, operation.parameters]) {
    for (const one of isList(list) ? list : []) {
      const parameter = references.follow(one)
      if (parameter === null) continue
      for (const read of parameterOf(parameter, viewOf)) found.set(`${read.in} ${read.name}`, read)
    }
  }
  return [...found.values()]
}

function parameterOf(parameter: Members, viewOf: ViewOf): DescribedParameter[] {
  const { name, in: place } = parameter
  if (
    typeof name !== 'string' ||
    name === '' ||
    isTemplateLike(name) ||
    (place !== 'query' && place !== 'header' && place !== 'path')
  )
    return []
  const view = viewOf(parameter.schema ?? contentSchema(parameter.content))
  const words = typeof parameter.description === 'string' ? parameter.description : view.words
  const isRequired = parameter.required === true || place === 'path'
  const isDeep =
    place === 'query' && view.type === 'object' && parameter.style === 'deepObject' && view.properties.size > 0
  if (!isDeep) return [described(name, place, { ...view, words }, isRequired)]
  return [...view.properties].map(([member, schema]) =>
    described(`${name}[${member}]`, 'query', viewOf(schema), isRequired && view.required.has(member)),
  )
}

function contentSchema(content: unknown): unknown {
  const [first] = isObject(content) ? Object.values(content) : []
  return isObject(first) ? first.schema : undefined
}

function described(
  name: string,
  place: DescribedParameter['in'],
  { type, fallback, choices, minimum, maximum, words }: SchemaView,
  isRequired: boolean,
): DescribedParameter {
  return {
    name,
    in: place,
    type,
    isRequired,
    fallback: scalarOf(fallback),
    choices: choices.flatMap((one) => {
      const text = scalarOf(one)
      return text === null ? [] : [String(text)]
    }),
    minimum,
    maximum,
    words,
  }
}

function scalarOf(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

export type DescribedBody = { readonly kind: 'json' | 'form'; readonly parameters: readonly DescribedParameter[] }

/** Fields of a JSON or form body, its first level. */
export function bodyOf(operation: Members, { references, viewOf }: Reading): DescribedBody | null {
  const body = references.follow(operation.requestBody)
  if (body === null || !isObject(body.content)) return null
  const types = Object.keys(body.content)
  const json = types.find((type) => /json/i.test(type))
  const form = types.find((type) => /form-urlencoded/i.test(type))
  const chosen = json ?? form
  if (chosen === undefined) return null
  const media = body.content[chosen]
  const view = viewOf(isObject(media) ? media.schema : undefined)
  return {
    kind: json === undefined ? 'form' : 'json',
    parameters: [...view.properties].map(([name, schema]) =>
      described(name, 'body', viewOf(schema), view.required.has(name)),
    ),
  }
}
