/** A JSON Schema → what in it cannot be understood, in words. */
import { isList, isObject } from '../../std/values/objects.ts'
import { isTypeName } from './value-types.ts'

/** Empty when all of it is understood. Such parts are passed over: their values stay as they are. */
export function schemaFaults(schema: unknown): string[] {
  const faults: string[] = []
  const visit = (node: unknown, path: string): void => {
    const name = path === '' ? 'the schema' : `\`${path}\``
    if (typeof node === 'boolean') return
    if (!isObject(node)) return void faults.push(`${name} is not described by an object`)
    const unknown = [node.type ?? []].flat().filter((type) => !isTypeName(type))
    if (unknown.length > 0) faults.push(`${name} has the unknown type ${unknown.map(shown).join(', ')}`)
    if (typeof node.$ref === 'string') faults.push(`${name} refers to ${shown(node.$ref)}, which is not there`)
    if (node.properties !== undefined && !isObject(node.properties))
      faults.push(`the properties of ${name} are no object`)
    for (const [inner, member] of Object.entries(isObject(node.properties) ? node.properties : {})) {
      visit(member, path === '' ? inner : `${path}.${inner}`)
    }
    if (node.items !== undefined && !isList(node.items)) visit(node.items, `${path}[]`)
  }
  visit(schema, '')
  return faults
}

function shown(word: unknown): string {
  return JSON.stringify(word) ?? String(word)
}
