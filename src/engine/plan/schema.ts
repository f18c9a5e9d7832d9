/** `schema_loader` → where the schema of a stream's records comes from. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import { compileTemplate, type Template } from '../template/template.ts'
import type { JsonSchema, Parameters } from './plan.ts'
import {
  componentIn,
  componentsIn,
  type Fields,
  type PlanInput,
  requiredComponentIn,
  templateIn,
  unsupported,
  planCustom,
  parametersOf,
} from './read-fields.ts'
import { type FilterPlan, pathIn, planFilter } from './selector.ts'
import { type TransformationPlan, planTransformation } from './transformations.ts'

export type SchemaPlan =
  | { readonly kind: 'inline'; readonly schema: JsonSchema; readonly at: SourceLocation }
  | FileSchemaPlan
  | DynamicSchemaPlan
  | ({ readonly kind: 'custom' } & CustomPlan)
  /** The first that knows a property describes it. */
  | { readonly kind: 'merged'; readonly members: readonly SchemaPlan[] }

/** A file in the connector's folder. */
export type FileSchemaPlan = {
  readonly kind: 'file'
  readonly path: Template
  readonly parameters: Parameters
  /** The manifest does not name the file: it may be missing. */
  readonly isOptional: boolean
  readonly at: SourceLocation
}

/** The API describes its own fields: one property for each description in the first record. */
export type DynamicSchemaPlan = {
  readonly kind: 'dynamic'
  readonly retriever: Component
  /** Where in the record the descriptions are, and where in each its name and its type. */
  readonly fieldsPath: readonly Template[]
  readonly namePath: readonly Template[]
  /** Without one every field is a string. */
  readonly typePath: readonly Template[] | null
  readonly types: readonly TypeRule[]
  readonly filter: FilterPlan | null
  readonly transformations: readonly TransformationPlan[]
  readonly parameters: Parameters
  readonly at: SourceLocation
}

/** The API's word for a type → Airbyte's. */
export type TypeRule = {
  readonly from: string | readonly string[]
  readonly to: FieldType | readonly string[]
  readonly onlyIf: Template | null
}

export type FieldType = string | { readonly type: string; readonly items: FieldType | null }

export function planSchema(input: PlanInput, stream: Component): SchemaPlan {
  const [first, ...others] = componentsIn(stream, 'schema_loader').map((loader) => planLoader(input, stream, loader))
  if (first === undefined) return planSchemaFile(input, stream, null)
  // Airbyte: a list of one is merged too, which adds what every merged schema says of itself.
  return Array.isArray(stream.schema_loader) ? { kind: 'merged', members: [first, ...others] } : first
}

function planLoader(input: PlanInput, stream: Component, loader: Component): SchemaPlan {
  switch (loader.type) {
    case 'InlineSchemaLoader':
      return { kind: 'inline', schema: (loader.schema as JsonSchema | undefined) ?? {}, at: input.manifest.at(loader) }
    case 'JsonFileSchemaLoader':
      return planSchemaFile(input, stream, loader)
    case 'DynamicSchemaLoader':
      return planDynamic(input, loader)
    case 'CustomSchemaLoader':
      return { kind: 'custom', ...planCustom(input, loader) }
    default:
      throw unsupported(input, loader)
  }
}

export function planSchemaFile(input: PlanInput, stream: Component, loader: Component | null): FileSchemaPlan {
  return {
    kind: 'file',
    path:
      (loader && templateIn(input, loader, 'file_path')) ?? compileTemplate("./schemas/{{ parameters['name'] }}.json"),
    parameters: { name: stream.name, ...parametersOf(loader ?? stream) },
    isOptional: loader === null,
    at: input.manifest.at(loader ?? stream),
  }
}

function planDynamic(input: PlanInput, loader: Component): DynamicSchemaPlan {
  const fields = requiredComponentIn(input, loader, 'schema_type_identifier')
  const typePath = pathIn(input, fields, 'type_pointer')
  return {
    kind: 'dynamic',
    retriever: requiredComponentIn(input, loader, 'retriever'),
    fieldsPath: pathIn(input, fields, 'schema_pointer'),
    namePath: pathIn(input, fields, 'key_pointer'),
    typePath: typePath.length === 0 ? null : typePath,
    types: componentsIn(fields, 'types_mapping').map((rule) => planRule(input, rule)),
    filter: planFilter(input, componentIn(loader, 'schema_filter')),
    transformations: componentsIn(loader, 'schema_transformations').map((change) => planTransformation(input, change)),
    parameters: { ...parametersOf(loader), ...parametersOf(fields) },
    at: input.manifest.at(loader),
  }
}

function planRule(input: PlanInput, rule: Component): TypeRule {
  const to = rule.target_type as string | readonly string[] | Fields
  return {
    from: rule.current_type as string | readonly string[],
    to: Array.isArray(to) ? (to as readonly string[]) : fieldTypeOf(to as string | Fields),
    onlyIf: templateIn(input, rule, 'condition'),
  }
}

function fieldTypeOf(target: string | Fields): FieldType {
  if (typeof target === 'string') return target
  const items = target.items as string | Fields | undefined | null
  return { type: String(target.field_type), items: items === undefined || items === null ? null : fieldTypeOf(items) }
}
