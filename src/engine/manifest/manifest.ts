/** A manifest as the rest of the engine reads it: checked, self-contained, and aware of where each value was written. */
import type { Problem, SourceLocation } from '../../std/errors.ts'

/** A component as the engine reads it: references and $parameters resolved, `type` filled in, older spellings upgraded. */
export type Component = {
  readonly type: string
  readonly $parameters?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** A known component type that this version cannot run, how often it occurs, and where it is first. */
export type Unsupported = { readonly type: string; readonly count: number; readonly at: SourceLocation }

/** A stream made from a template; null when a problem of it is an error. */
export type Generated = { readonly stream: Component | null; readonly problems: readonly Problem[] }

export type Manifest = {
  readonly version: string
  /** The name shown in locations, when known. */
  readonly file?: string
  /** The DeclarativeSource. */
  readonly root: Component
  /** The members of `root.streams`. */
  readonly streams: readonly Component[]
  readonly spec: Component | null
  /** Where the author wrote this object or list of the tree, or its member `key`; follows `$ref` to the definition. */
  at(node: object, key?: string | number): SourceLocation
  /** Registers a changed copy of a node: its parts get the positions of the original. */
  derived<Copy extends object>(copy: Copy, original: object): Copy
  /** A copy of a stream template with its values filled in → a stream like those the author wrote. */
  generate(filled: Component, template: Component, precedence: 'own' | 'inherited'): Generated
  /** Warnings and notes that did not prevent loading. */
  readonly problems: readonly Problem[]
  /** Known component types the engine cannot run yet, named and counted. */
  readonly unsupported: readonly Unsupported[]
}
