/** A manifest → a program that reads it with the library, whole in one file. */
import { loadInSteps } from '../../connector/load-manifest.ts'
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { keyLiteral, lineComment, linesLiteral, textLiteral, valueLiteral } from './literals.ts'

/** Throws with every problem of a manifest that cannot run. */
export async function typescriptOf(name: string, text: string): Promise<string> {
  const manifest = await loadInSteps(text)
  const { code, variables } = configCode(manifest.spec, name.replaceAll('-', '_').toUpperCase())
  const { does, imports, body } = hasWrittenStreams(manifest) ? printing(manifest) : syncing(name)
  const setting = variables.map((variable) => `${variable}=… `).join('')
  return `/**
 * ${does(name)}
 *
 *     npm install turnleaf
 *     ${setting}node ${name}.ts
 *
 * Node 22.18 and later run TypeScript as it is; with older ones: npx tsx ${name}.ts
 */
import { ${imports.join(', ')} } from 'turnleaf'

const config = ${code}

${loading(text)}
${body}
${helpersFor(code)}
function manifestText() {
  return ${linesLiteral(text)}
}
`
}

type Use = {
  readonly does: (name: string) => string
  readonly imports: readonly string[]
  readonly body: string
}

/** Whether the names of all streams are known without a request. */
function hasWrittenStreams({ root, streams }: Manifest): boolean {
  const isDynamic = isList(root.dynamic_streams) && root.dynamic_streams.length > 0
  return !isDynamic && streams.every(({ type, name }) => type === 'DeclarativeStream' && typeof name === 'string')
}

function printing({ streams }: Manifest): Use {
  return {
    does: (name) => `Reads every stream of "${name}", and writes each record as a line of JSON.`,
    imports: ['loadManifest', 'readRecords', 'stringifyJson'],
    body: `for (const stream of ${valueLiteral(streams.map(({ name }) => name))}) {
  for await (const record of readRecords(manifest, { stream, config })) {
    // Long numbers keep every digit, which JSON.stringify does not do.
    console.log(stringifyJson({ stream, record }))
  }
}`,
  }
}

/** For manifests whose streams only the API knows: a sync finds them. */
function syncing(name: string): Use {
  return {
    does: () => `Syncs every stream of "${name}" into ${name}.duckdb, resuming where it stopped.`,
    imports: ['loadManifest', 'sync'],
    body: `const { receipts } = await sync(manifest, { config, to: 'duckdb:${name}.duckdb', connection: '${name}' })
for (const { stream, records, verdict } of receipts) console.log(stream, records, verdict)`,
  }
}

function loading(text: string): string {
  return /\bclass_name\b/.test(text)
    ? `// Custom classes are loaded from the folder of this file.
const manifest = loadManifest(manifestText(), { folder: import.meta.dirname })`
    : 'const manifest = loadManifest(manifestText())'
}

/** Secrets are read from the environment, so that the program can be shared. */
function helpersFor(code: string): string {
  return [code.includes('fromEnvironment(') ? fromEnvironment : '', code.includes('...ifSet(') ? ifSet : ''].join('')
}

const fromEnvironment = `
function fromEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(\`Set \${name} in the environment.\`)
  return value
}
`

const ifSet = `
function ifSet(input: string, name: string): Record<string, string> {
  const value = process.env[name]
  return value === undefined ? {} : { [input]: value }
}
`

type ConfigCode = {
  /** An object literal, over several lines where it has members. */
  readonly code: string
  /** The required environment variables, in order. */
  readonly variables: readonly string[]
}

/**
 * The spec → code for its config: defaults are written out, secrets are read from the environment.
 *
 * @param prefix starts the names of variables: `SHOP`.
 */
function configCode(spec: unknown, prefix: string): ConfigCode {
  const variables: string[] = []
  const schema = isObject(spec) ? spec.connection_specification : null
  const lines = isObject(schema) ? membersOf(schema, { path: [prefix], indent: '  ', isWanted: true, variables }) : []
  return { code: lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`, variables }
}

type Where = {
  /** The prefix, then the names of the members. */
  readonly path: readonly string[]
  readonly indent: string
  /** It is required, and so are its parents. */
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
      // Optional members are commented out.
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

/** Many specs do not require a credential although the API does: it is used if the environment has it. */
function whereSet(name: string, { path, indent }: Where): string {
  return `${indent}...ifSet(${textLiteral(name)}, '${variableOf(path)}'),`
}

function isSecretText({ airbyte_secret, type }: Members): boolean {
  return airbyte_secret === true && [type].flat().includes('string')
}

/** The object schema, or the first of its alternatives. */
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

/** Defaults of secrets are not used. */
function hasValue(input: Members): boolean {
  return (input.const ?? input.default) !== undefined && input.airbyte_secret !== true
}

function orderOf(input: Members): number {
  return typeof input.order === 'number' ? input.order : Number.MAX_SAFE_INTEGER
}

/** The first sentence of the description, and the choices. */
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
