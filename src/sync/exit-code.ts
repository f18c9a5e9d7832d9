/** The result of a sync → the exit code of a command that ran it. */
import { isFaultCode } from '../protocol/failure.ts'
import type { SyncResult } from './events.ts'
import type { StreamReceipt } from './receipt.ts'

/** 0: every table has its rows and every verdict reaches `--require`. 2: no stream could start because of an error in manifest, config or arguments. 1: otherwise. */
export function syncExitCode({ ending, receipts }: SyncResult): 0 | 1 | 2 {
  if (receipts.length > 0 && receipts.every((one) => one.ending === 'failed' && isRefusedStream(one))) return 2
  return ending === 'complete' ? 0 : 1
}

/** It failed before the first response, and will again. */
export function isRefusedStream({ pages, error }: StreamReceipt): boolean {
  return pages === 0 && error?.code !== undefined && isFaultCode(error.code)
}
