/** A template + the manifest's spec → the inputs that it reads under a misspelt name. */
import type { Manifest } from '../engine/manifest/manifest.ts'
import { connectionSpecification } from '../engine/plan/config.ts'
import { parseTemplate } from '../engine/template/syntax/statements.ts'
import { normalise } from '../engine/template/syntax/tokens.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { nearMiss } from '../std/text/near-miss.ts'

export type Misspelt = { readonly name: string; readonly meant: string }

/**
 * Only names that are near to one of the spec: a config may hold more than its spec says.
 *
 * @example misspeltInputs(['api_key'])('{{ config.apikey }}') // [{ name: 'apikey', meant: 'api_key' }]
 */
export function misspeltInputs(inputs: readonly string[]): (source: string) => Misspelt[] {
  if (inputs.length === 0) return () => []
  return (source) => {
    if (!source.includes('config')) return []
    return [...namesRead(source)].flatMap((name) => {
      const meant = inputs.includes(name) ? undefined : nearMiss(name, inputs)
      return meant === undefined ? [] : [{ name, meant }]
    })
  }
}

/** None where rules of the manifest change the config, which may then hold anything. */
export function inputsOf(manifest: Manifest): string[] {
  const schema = connectionSpecification(manifest)
  if (schema === null || manifest.spec?.config_normalization_rules) return []
  return [...propertiesIn(schema)]
}

function* propertiesIn(schema: unknown): Generator<string> {
  if (!isObject(schema)) return
  if (isObject(schema.properties)) yield* Object.keys(schema.properties)
  for (const word of ['oneOf', 'anyOf', 'allOf'])
    if (isList(schema[word])) for (const choice of schema[word]) yield* propertiesIn(choice)
}

/** Members of `config` that are read by a name that is written out, unless what is missing is provided for. */
function namesRead(source: string): Set<string> {
  const names = new Set<string>()
  const left: unknown[] = [parseTemplate(normalise(source))]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isList(node)) left.push(...node)
    else if (isObject(node)) {
      const { kind, of, name, key } = node
      if (kind === 'attribute' && isConfig(of) && typeof name === 'string' && name !== 'get') names.add(name)
      if (kind === 'item' && isConfig(of) && isObject(key) && typeof key.value === 'string') names.add(key.value)
      left.push(...Object.values(node))
    }
  }
  return names
}

function isConfig(node: unknown): boolean {
  return isObject(node) && node.kind === 'name' && node.name === 'config'
}
