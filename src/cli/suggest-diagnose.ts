/** Streams whose pages are in doubt → the command that finds out why. */
import { isReadToEnd, type StreamReceipt } from '../sync/receipt.ts'
import { shellWord } from './destination-address.ts'
import type { ProtocolOptions } from './options.ts'

/** For the first of them; null where no stream is in doubt, or the manifest came from standard input. */
export function diagnoseCommand(
  receipts: readonly StreamReceipt[],
  { manifestPath, config }: ProtocolOptions,
): string | null {
  const doubted = receipts.find(isDoubted)
  if (doubted === undefined || manifestPath === '-') return null
  const settings = config === undefined ? [] : ['--config', config]
  const args = ['--manifest-path', manifestPath, ...settings, '--stream', doubted.stream]
  return `npx turnleaf diagnose ${args.map(shellWord).join(' ')}`
}

/** Other failures say themselves what to do. */
function isDoubted({ ending, verdict, error }: StreamReceipt): boolean {
  if (ending === 'failed') return error?.code?.startsWith('pagination/') === true
  return isReadToEnd(ending) && (verdict === 'incomplete' || verdict === 'duplicated')
}
