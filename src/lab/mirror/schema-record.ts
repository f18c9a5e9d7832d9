/** A DynamicSchemaLoader → a record that describes two fields in the way it reads them. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { asComponent, componentsAt } from './components.ts'
import { type Path, placed } from './place.ts'

export function schemaRecord(loader: Component): unknown {
  const identifier = asComponent(loader.schema_type_identifier) ?? { type: 'SchemaTypeIdentifier' }
  const [mapping] = componentsAt(identifier.types_mapping)
  const type = [mapping?.current_type].flat()[0] ?? 'string'
  const fields = ['id', 'leaf_field'].map((name) => {
    const named = placed({}, pathIn(identifier.key_pointer), name)
    return identifier.type_pointer === undefined ? named : placed(named, pathIn(identifier.type_pointer), type)
  })
  const path = pathIn(identifier.schema_pointer)
  return path.length === 0 ? fields[0] : placed({}, path, fields)
}

function pathIn(pointer: unknown): Path {
  return Array.isArray(pointer) ? (pointer as Path) : []
}
