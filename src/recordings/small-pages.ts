/** A manifest that requests small pages, where that changes nothing but the number of records in a page. */
import { type LoadedManifest, loadManifest } from '../connector/load-manifest.ts'
import type { ManifestText } from '../connector/open-connector.ts'
import type { Config } from '../engine/plan/plan.ts'
import { pageSizeOf } from '../engine/plan/pagination.ts'
import { parametersOf } from '../engine/plan/read-fields.ts'
import { compileTemplate } from '../engine/template/template.ts'
import { isList, isObject } from '../std/values/objects.ts'

export type SmallPages = {
  readonly manifest: LoadedManifest
  /** Whether any paginator now requests another size. */
  readonly isChanged: boolean
}

/**
 * The page size of every paginator that sends it, set to `pageSize` where it is larger. The manifest is our own copy: its
 * components know their places by identity, so they are changed where they are.
 */
export function withSmallPages(
  { text, file, folder }: ManifestText,
  pageSize: number | null,
  config: Config,
): SmallPages {
  const manifest = loadManifest(text, { file, folder })
  if (pageSize === null) return { manifest, isChanged: false }
  let isChanged = false
  const seen = new Set<object>()
  const visit = (node: unknown): void => {
    if (isList(node)) return node.forEach(visit)
    if (!isObject(node) || seen.has(node)) return
    seen.add(node)
    isChanged = shrink(node, pageSize, config) || isChanged
    Object.values(node).forEach(visit)
  }
  visit(manifest.root)
  manifest.streams.forEach(visit)
  return { manifest, isChanged }
}

function shrink(node: Record<string, unknown>, pageSize: number, config: Config): boolean {
  const strategy = node.pagination_strategy
  if (node.type !== 'DefaultPaginator' || !isObject(strategy) || !isObject(node.page_size_option)) return false
  const size = sizeOf(strategy, config)
  if (size === null || size <= pageSize) return false
  // A condition that names the size, or counts, would end the read at another place.
  const conditions = [strategy.stop_condition, strategy.cursor_value].filter((one) => typeof one === 'string')
  if (conditions.some((one) => one.includes(String(size)) || /page_size|length|count/.test(one))) return false
  // A size in quotes is sent as the string it is.
  strategy.page_size = typeof strategy.page_size === 'string' ? String(pageSize) : pageSize
  return true
}

/** The size that the manifest requests; null where it cannot be known. */
function sizeOf(strategy: Record<string, unknown>, config: Config): number | null {
  const { page_size: written } = strategy
  if (typeof written !== 'string') return pageSizeOf(written)
  try {
    const parameters = parametersOf(strategy)
    return pageSizeOf(compileTemplate(written).evaluate({ config, parameters }))
  } catch {
    return null
  }
}
