/** A part of a manifest + the connector's folder → the classes it names that are not there yet. */
import { loadClass, locateClass } from '../connector/load-class.ts'
import type { CustomBase } from '../engine/custom/component.ts'
import { customClassesIn, customRoleOf } from '../engine/manifest/custom-types.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { ConnectorError, type ErrorCode, type SourceLocation } from '../std/errors.ts'
import * as library from '../index.ts'

export type MissingClass = {
  readonly className: string
  readonly at: SourceLocation
  readonly role: string
  /** What it extends, from `turnleaf`. */
  readonly base: string
  /** Only a config that chooses it needs it. */
  readonly isOneChoice: boolean
  /** Why it cannot be used: mostly that nobody has written it. */
  readonly reason: string
  readonly code: ErrorCode
  readonly hint: string
}

export async function missingClasses(
  manifest: Manifest,
  part: Component,
  folder: string | null,
): Promise<MissingClass[]> {
  const missing = new Map<string, MissingClass>()
  for (const { className, type, node, isOneChoice } of customClassesIn(part)) {
    const { role, base } = customRoleOf(type) ?? { role: 'class', base: '' }
    const Base = (library as Readonly<Record<string, unknown>>)[base] as CustomBase | undefined
    // Of a type that cannot run, whatever is written.
    if (Base === undefined || missing.has(`${type} ${className}`)) continue
    const at = manifest.at(node, 'class_name')
    try {
      if (folder === null) throw withoutFolder(role, className)
      await loadClass(folder, { role, className, at }, Base)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      const reason = reasonOf(error, className)
      const { code, hint } = error
      missing.set(`${type} ${className}`, { className, at, role, base, isOneChoice, reason, code, hint })
    }
  }
  return [...missing.values()]
}

function withoutFolder(role: string, className: string): ConnectorError {
  return new ConnectorError('plan/no-folder', `The ${role} \`${className}\` belongs into the folder of the connector.`)
}

/** That it is not written is plain from the list; where it belongs is what the author wants to know. */
function reasonOf({ code, message, at }: ConnectorError, className: string): string {
  return code === 'plan/class-file-missing' ? `write it in ${locateClass(className, at).file}.ts` : message
}
