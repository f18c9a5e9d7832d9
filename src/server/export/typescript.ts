/** A manifest → a program that reads it with the library, whole in one file. */
import { loadManifest } from '../../connector/load-manifest.ts'
import type { Manifest } from '../../engine/manifest/manifest.ts'
import { isList } from '../../std/values/objects.ts'
import { configCode } from './config-code.ts'
import { linesLiteral, valueLiteral } from './literals.ts'

/** Throws with every problem of a manifest that cannot run: a program of it could not either. */
export function typescriptOf(name: string, text: string): string {
  const manifest = loadManifest(text)
  const { code, variables } = configCode(manifest.spec, name.replaceAll('-', '_').toUpperCase())
  const { does, imports, body } = hasWrittenStreams(manifest) ? printing(manifest) : landing(name)
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

/** Every stream has a name before anything is asked. */
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

/** Where only the API knows which streams there are, a sync finds them. */
function landing(name: string): Use {
  return {
    does: () => `Lands every stream of "${name}" in ${name}.duckdb, and goes on where it stopped.`,
    imports: ['loadManifest', 'sync'],
    body: `const { receipts } = await sync(manifest, { config, to: 'duckdb:${name}.duckdb', connection: '${name}' })
for (const { stream, records, verdict } of receipts) console.log(stream, records, verdict)`,
  }
}

function loading(text: string): string {
  return /\bclass_name\b/.test(text)
    ? `// Classes of its own are found beside this file.
const manifest = loadManifest(manifestText(), { folder: import.meta.dirname })`
    : 'const manifest = loadManifest(manifestText())'
}

/** Secrets stay out of the program, so that it can be shared. */
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
