/** The spec of a connector → code for its config: what has a default is written out, secrets come from the environment. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { keyLiteral, lineComment, textLiteral, valueLiteral } from './literals.ts'

export type ConfigCode = {
  /** An object literal, over several lines where it has members. */
  readonly code: string
  /** What has to be in the environment, in order. */
  readonly variables: readonly string[]
}

/**
 * @param prefix begins the names of variables: `SHOP`.
 */
export function configCode(spec: unknown, prefix: string): ConfigCode {
  const variables: string[] = []
  const schema = isObject(spec) ? spec.connection_specification : null
  const lines = isObject(schema) ? membersOf(schema, { path: [prefix], indent: '  ', isWanted: true, variables }) : []
  return { code: lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`, variables }
}

type Where = {
  /** The prefix, then the names that lead here. */
  readonly path: readonly string[]
  readonly indent: string
  /** It is needed, and so is all around it. */
  readonly isWanted: boolean
  readonly variables: string[]
}

function membersOf(schema: Members, where: Where): string[] {
  const required = isList(schema.required) ? schema.required : []
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties
    .filter((entry): entry is [string, Members] => isObject(entry[1]))
    .toSorted(([, one], [, other]) => orderOf(one) - orderOf(other))
    .flatMap(([name, input]) => {
      const isNeeded = required.includes(name) || hasValue(input)
      const inner = { ...where, path: [...where.path, name], isWanted: where.isWanted && isNeeded }
      if (!isNeeded && isSecretText(input)) return [...wordsAbout(input, where.indent), whereSet(name, inner)]
      const lines = memberOf(name, input, inner)
      // What may be left out stands there as a comment, to be taken up by whoever wants it.
      const written = isNeeded ? lines : lines.map((line) => line.replace(where.indent, `${where.indent}// `))
      return [...wordsAbout(input, where.indent), ...written]
    })
}

function memberOf(name: string, input: Members, where: Where): string[] {
  const { indent } = where
  const chosen = firstChoice(input)
  const inner = chosen === null ? [] : membersOf(chosen, { ...where, indent: `${indent}  ` })
  return inner.length > 0
    ? [`${indent}${keyLiteral(name)}: {`, ...inner, `${indent}},`]
    : [`${indent}${keyLiteral(name)}: ${valueCode(input, where)},`]
}

/** Many specs require no credential, although the API does: it is taken where the environment has it. */
function whereSet(name: string, { path, indent }: Where): string {
  return `${indent}...ifSet(${textLiteral(name)}, '${variableOf(path)}'),`
}

function isSecretText({ airbyte_secret, type }: Members): boolean {
  return airbyte_secret === true && [type].flat().includes('string')
}

/** An object, or the first of the objects it may be. */
function firstChoice(input: Members): Members | null {
  const choices = isList(input.oneOf) ? input.oneOf : [input]
  const [first] = choices.filter(isObject)
  return first !== undefined && isObject(first.properties) && !hasValue(input) ? first : null
}

function valueCode(input: Members, { path, isWanted, variables }: Where): string {
  if (hasValue(input)) return valueLiteral(input.const ?? input.default)
  if (isList(input.enum) && input.airbyte_secret !== true) return valueLiteral(input.enum[0])
  const variable = variableOf(path)
  if (isWanted) variables.push(variable)
  const text = `fromEnvironment('${variable}')`
  switch (isList(input.type) ? input.type.find((type) => type !== 'null') : input.type) {
    case 'integer':
    case 'number':
      return `Number(${text})`
    case 'boolean':
      return `${text} === 'true'`
    case 'array':
    case 'object':
      return `JSON.parse(${text})`
    default:
      return text
  }
}

function variableOf(path: readonly string[]): string {
  const words = path.join('_').replaceAll(/[^A-Za-z0-9]+/g, '_')
  return words.toUpperCase()
}

/** A secret that has a default is one all the same. */
function hasValue(input: Members): boolean {
  return (input.const ?? input.default) !== undefined && input.airbyte_secret !== true
}

function orderOf(input: Members): number {
  return typeof input.order === 'number' ? input.order : Number.MAX_SAFE_INTEGER
}

/** Its first sentence, and what it may be. */
function wordsAbout({ title, description, oneOf, enum: values }: Members, indent: string): string[] {
  const plain = [description, title].find((words) => typeof words === 'string') ?? ''
  const [sentence = ''] = plain
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.) /)
  const titles = isList(oneOf)
    ? oneOf.flatMap((one) => (isObject(one) && typeof one.title === 'string' ? one.title : []))
    : []
  const choices = isList(values) ? values.map(valueLiteral) : titles
  const words = [sentence, ...(choices.length > 1 ? [`One of ${choices.join(', ')}.`] : [])].filter(
    (part) => part !== '',
  )
  return words.length === 0 ? [] : [`${indent}${lineComment(words.join(' '))}`]
}
