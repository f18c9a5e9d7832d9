/** A checked manifest → problems of its templates. */
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { checkTemplate, compileTemplate } from '../engine/template/template.ts'
import { ConnectorError, hints, type Problem } from '../std/errors.ts'
import { type FoundString, hasTemplate, stringsIn } from './strings-in.ts'
import { namesOfferedIn } from './offered-names.ts'
import type { Body, Expression, Statement } from '../engine/template/syntax/ast.ts'
import { parseTemplate } from '../engine/template/syntax/statements.ts'
import { normalise } from '../engine/template/syntax/tokens.ts'
import { connectionSpecification } from '../engine/plan/config.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { nearMiss } from '../std/text/near-miss.ts'

/** Templates of one stream that do not compile, or use names that are not available. Streams that share definitions share problems. */
export function templateProblems(manifest: Manifest, stream: Component): Problem[] {
  const offeredAt = namesOfferedIn(stream)
  const misspelt = misspeltInputs(inputsOf(manifest))
  return stringsIn(stream)
    .filter(({ text }) => hasTemplate(text) || text.includes('stream_state'))
    .flatMap((found) => {
      const at = manifest.at(found.holder, found.key)
      try {
        if (hasTemplate(found.text)) compileTemplate(found.text, at)
        const offered = offeredAt(found)
        if (offered !== null) checkTemplate(found.text, offered, at)
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        const { code, message, hint } = error
        return [{ code, severity: 'error' as const, message, at: error.at ?? at, hint }]
      }
      return [...wholeToken(found, at), ...(hasTemplate(found.text) ? misspelt(found.text).map(unknownInput(at)) : [])]
    })
}

function unknownInput(at: Problem['at']): (misspelt: Misspelt) => Problem {
  const code = 'template/unknown-input'
  return ({ name, meant }) => {
    const message = `The spec has no input \`${name}\`. Did you mean \`${meant}\`?`
    return { code, severity: 'warning', message, at, hint: hints[code] }
  }
}

function wholeToken({ text }: FoundString, at: Problem['at']): Problem[] {
  if (!text.includes('next_page_token') || !sendsWholeToken(text)) return []
  const message =
    '`next_page_token` is an object that contains the page token. Sent as it is, the API receives a Python dict.'
  const hint = "Write `{{ next_page_token['next_page_token'] }}`."
  return [{ code: 'template/whole-page-token', severity: 'warning', message, at, hint }]
}

/** @example sendsWholeToken('{{ next_page_token or 0 }}') // true */
function sendsWholeToken(source: string): boolean {
  return parseTemplate(normalise(source)).some(writesToken)
}

function writesToken(statement: Statement): boolean {
  switch (statement.kind) {
    case 'output':
      return isToken(statement.value)
    case 'if':
    case 'for':
      return anyWrites(statement.body) || anyWrites(statement.otherwise)
    default:
      return false
  }
}

function anyWrites(body: Body): boolean {
  return body.some(writesToken)
}

/** Filters that leave an object an object, or print it. */
const passing = new Set(['default', 'd', 'string', 'trim', 'urlencode'])

/** Whether the value may be the object itself. A test for it (`if next_page_token`) is fine. */
function isToken(value: Expression): boolean {
  switch (value.kind) {
    case 'name':
      return value.name === 'next_page_token'
    case 'or':
      return isToken(value.left) || isToken(value.right)
    case 'and':
      return isToken(value.right)
    case 'condition':
      return isToken(value.yes) || (value.no !== null && isToken(value.no))
    case 'concat':
      return value.parts.some(isToken)
    case 'filter':
      return passing.has(value.name) && isToken(value.input)
    default:
      return false
  }
}

type Misspelt = { readonly name: string; readonly meant: string }

/**
 * Only names that are similar to one of the spec: a config may have more inputs than its spec.
 *
 * @example misspeltInputs(['api_key'])('{{ config.apikey }}') // [{ name: 'apikey', meant: 'api_key' }]
 */
function misspeltInputs(inputs: readonly string[]): (source: string) => Misspelt[] {
  if (inputs.length === 0) return () => []
  return (source) => {
    if (!source.includes('config')) return []
    return [...namesRead(source)].flatMap((name) => {
      const meant = inputs.includes(name) ? undefined : nearMiss(name, inputs)
      return meant === undefined ? [] : [{ name, meant }]
    })
  }
}

/** Empty where rules of the manifest change the config: then it may have any inputs. */
function inputsOf(manifest: Manifest): string[] {
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

/** Members of `config` that are read by a literal name, without a default. */
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
