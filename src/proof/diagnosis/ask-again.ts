/** Pages of the walk asked for once more, or the one behind its last, as the manifest is. */
import { loadManifest } from '../../connector/load-manifest.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Case } from './case.ts'
import { readWith, type TrialTools } from './trial.ts'
import type { Walk } from './walk.ts'
import type { WalkedPage } from './walked-page.ts'

/** Null when no request is left. */
export async function askOnce(
  subject: Case,
  tools: TrialTools,
  why: string,
  from: PageToken | null,
): Promise<Walk | null> {
  if (tools.probing.left() <= 0) return null
  const manifest = loadManifest(tools.text, tools.folder === undefined ? {} : { folder: tools.folder })
  return readWith(subject, manifest, { why, pages: 1, ...(from !== null && { from }) }, tools)
}

/** What a walk that counts would ask for behind this page; null where it does not count. */
export function tokenBehind({ pagination }: Pick<Case, 'pagination'>, page: WalkedPage): PageToken | null {
  switch (pagination.kind) {
    case 'offset': {
      const step = page.received > 0 ? page.received : pagination.pageSize
      return typeof step === 'number' ? { value: Number(page.token?.value ?? 0) + step } : null
    }
    case 'page':
      return { value: Number(page.token?.value ?? pagination.firstPage) + 1 }
    default:
      return null
  }
}
