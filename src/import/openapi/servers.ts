/** The servers of a description → the base URL of the API, with an input for each variable. */
import { isUrl } from '../../std/text/is-url.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import type { DescribedInput } from '../description.ts'
import { configTemplate, fillBraces, inputNameOf, titleOfInput } from '../input-names.ts'

export type FoundServer = {
  readonly baseUrl: string
  readonly inputs: readonly DescribedInput[]
  readonly notes: readonly string[]
}

/** `documentUrl`: where the document was fetched from; null for a file. */
export function findServer(servers: unknown, documentUrl: string | null): FoundServer {
  const listed = (isList(servers) ? servers : []).filter(isObject).filter(({ url }) => typeof url === 'string')
  const chosen = preferred(listed)
  const written = chosen === undefined ? '/' : String(chosen.url).trim()
  const address = absolute(written, documentUrl)
  if (address === null) return withoutAddress(written)
  const variables = isObject(chosen?.variables) ? chosen.variables : {}
  const inputs: DescribedInput[] = []
  const template = fillBraces(address.replace(/\/+$/, ''), (name) => {
    const input = inputOf(name, Object.hasOwn(variables, name) ? variables[name] : undefined)
    if (!inputs.some((one) => one.name === input.name)) inputs.push(input)
    return templateOf(input)
  })
  const others = new Set(listed.map(({ url }) => String(url)).filter((url) => url !== chosen?.url))
  return {
    baseUrl: template,
    inputs,
    notes: [
      ...(others.size === 0 ? [] : [`Other servers of the description: ${[...others].slice(0, 5).join(', ')}.`]),
      ...hostNote(address, documentUrl),
    ],
  }
}

/** The first that is encrypted, or the first. */
function preferred(servers: readonly Members[]): Members | undefined {
  const isLocal = ({ url }: Members) => /^https?:\/\/(localhost|127\.|0\.0\.0\.0)/.test(String(url))
  const [first] = servers
  if (first === undefined || (!isLocal(first) && !/^http:/i.test(String(first.url)))) return first
  return servers.find(({ url }) => /^https:/i.test(String(url))) ?? first
}

function absolute(written: string, documentUrl: string | null): string | null {
  // What is in braces is no address yet: any word takes its place.
  const sample = written.replaceAll(/\{[^{}]*\}/g, 'x')
  if (/^https?:\/\//i.test(written)) return isUrl(sample) ? written : null
  if (written.startsWith('//')) return isUrl(`https:${sample}`) ? `https:${written}` : null
  // `{scheme}://…` and `{base}/v1`: the first variable is more than a name.
  if (/^\{[^{}]*\}/.test(written)) return written
  if (documentUrl !== null && isUrl(written, documentUrl)) {
    const { origin } = new URL(documentUrl)
    return written.startsWith('/') ? `${origin}${written}` : new URL(written, documentUrl).href
  }
  return null
}

function withoutAddress(written: string): FoundServer {
  const path = /^\/[^{}\s]*$/.test(written) ? written.replace(/\/+$/, '') : ''
  return {
    baseUrl: `{{ config['base_url'] }}${path}`,
    inputs: [{ name: 'base_url', title: 'Base URL', isSecret: false, isRequired: true }],
    notes: [
      `The description names no host (its server is \`${written.slice(0, 80)}\`): the input \`base_url\` is it, such as https://api.example.com.`,
    ],
  }
}

/** An input with a default need not be in the config. */
function templateOf({ name, fallback }: DescribedInput): string {
  if (fallback === undefined) return configTemplate(name)
  return `{{ config.get('${name}', '${fallback.replaceAll(/['\\]/g, String.raw`\$&`)}') }}`
}

/** Another address of the same API, with the variables of its server in it. */
export function withVariables(address: string, { inputs }: Pick<FoundServer, 'inputs'>): string {
  return fillBraces(address, (variable) => {
    const input = inputs.find(({ name }) => name === inputNameOf(variable))
    return input === undefined ? null : templateOf(input)
  })
}

function inputOf(variable: string, described: unknown): DescribedInput {
  const name = inputNameOf(variable)
  const { default: fallback, enum: choices } = isObject(described) ? described : {}
  const texts = isList(choices) ? choices.filter((one) => typeof one === 'string') : []
  const hasFallback = typeof fallback === 'string' && fallback !== '' && !/^[<{].*[>}]$/.test(fallback)
  return {
    name,
    title: titleOfInput(name),
    isSecret: false,
    isRequired: !hasFallback,
    ...(hasFallback && { fallback }),
    ...(texts.length > 1 && { choices: texts }),
  }
}

/** Who wrote the description decides where the credentials go: the user should know when that is elsewhere. */
function hostNote(address: string, documentUrl: string | null): string[] {
  if (documentUrl === null) return []
  const host = /^https?:\/\/([^/{}]+)/i.exec(address)?.[1]
  const own = new URL(documentUrl).host
  if (host === undefined || host.toLowerCase() === own) return []
  return [`The description came from ${own}, and its server is ${host}: your credentials will be sent there.`]
}
