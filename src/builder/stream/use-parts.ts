/** Where the parts of a stream are in the manifest: an asynchronous stream has them under other names. */
import type { Path } from '../../document/value-path.ts'
import { useField } from '../session/use-field.ts'

export type StreamPaths = {
  readonly retrieverAt: Path
  readonly requesterAt: Path
  readonly paginatorAt: Path
  readonly selectorAt: Path
  /** Of the responses that have the records. */
  readonly decoderAt: Path
}

export function useParts(stream: Path): StreamPaths {
  const retrieverAt = [...stream, 'retriever']
  const isJob = useField([...retrieverAt, 'type']).value === 'AsyncRetriever'
  return {
    retrieverAt,
    requesterAt: [...retrieverAt, isJob ? 'creation_requester' : 'requester'],
    paginatorAt: [...retrieverAt, isJob ? 'download_paginator' : 'paginator'],
    selectorAt: [...retrieverAt, 'record_selector'],
    decoderAt: [...retrieverAt, isJob ? 'download_decoder' : 'decoder'],
  }
}
