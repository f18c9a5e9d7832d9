/** A manifest that passed its check → the templates in it that do not compile. */
import { isData } from '../engine/manifest/components.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { compileTemplate } from '../engine/template/template.ts'
import { ConnectorError, type Problem } from '../errors.ts'

/** Every template of one stream that does not compile. Streams may share definitions, and then share problems. */
export function templateProblems(manifest: Manifest, stream: Component): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<object>()

  const compile = (text: string, holder: object, key: string | number) => {
    if (!/\{[{%#]/.test(text)) return
    const at = manifest.at(holder, key)
    try {
      compileTemplate(text, at)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      const { code, message, hint } = error
      problems.push({ code, severity: 'error', message, at: error.at ?? at, hint })
    }
  }
  const visit = (node: object) => {
    if (seen.has(node)) return
    seen.add(node)
    const { type } = node as { type?: unknown }
    for (const [key, value] of Object.entries(node)) {
      if (isData(type, key)) continue
      const spot = Array.isArray(node) ? Number(key) : key
      compile(key, node, spot)
      if (typeof value === 'string') compile(value, node, spot)
      else if (typeof value === 'object' && value !== null) visit(value)
    }
  }
  visit(stream)
  return problems
}
