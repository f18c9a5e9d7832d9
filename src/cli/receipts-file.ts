/** The receipts of a read → a file of JSON lines: one for each slice, one for each stream. */
import { open } from 'node:fs/promises'
import { ConnectorError } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import type { StreamOutcome, Watch } from '../protocol/read-stream.ts'
import { shownError } from '../sync/receipt.ts'

export type ReceiptsFile = Required<Pick<Watch, 'page' | 'ended'>> & {
  /** Everything is written. */
  close(): Promise<void>
}

/** Opened before anything is read: a path that cannot be written to should not cost a read. */
export async function openReceiptsFile(path: string): Promise<ReceiptsFile> {
  const refuse = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new ConnectorError('cli/file', `Cannot write the receipts to ${path}: ${reason}.`, { cause })
  }
  const file = await open(path, 'w').catch((cause: unknown) => {
    throw refuse(cause)
  })
  let failure: unknown = null
  const stream = file.createWriteStream().on('error', (error) => (failure = error))
  const write = (line: object) => void stream.write(`${stringifyJson(line)}\n`)
  return {
    page({ stream: name, slice, receipt }) {
      if (receipt === undefined) return
      const { stream: _soFar, ...ofSlice } = receipt
      write({ kind: 'slice', stream: name, slice: { ...slice.partition, ...slice.window }, ...ofSlice })
    },
    ended(outcome) {
      write(lineOf(outcome))
    },
    async close() {
      await new Promise<void>((resolve) => stream.on('close', () => resolve()).end())
      if (failure !== null) throw refuse(failure)
    },
  }
}

function lineOf({ name, ending, error, stop, proof }: StreamOutcome): object {
  return {
    kind: 'stream',
    stream: name,
    ending,
    stop,
    ...proof,
    ...(error !== undefined && { error: shownError(error) }),
  }
}
