/** `download_decoder`, or the extractor that decodes by itself → how a download is decoded. */
import type { Component } from '../manifest/manifest.ts'
import { type DecoderPlan, planDecoder } from './decoder.ts'
import { componentIn, type PlanInput } from './read-fields.ts'

/** What pandas takes for a missing value, and Airbyte's extractor with it. */
const missing =
  '#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split('|')

/** Airbyte: `ResponseToFileExtractor` reads CSV, packed or not, whatever decoder stands beside it. */
export function planDownloadDecoder(input: PlanInput, retriever: Component): DecoderPlan {
  const extractor = componentIn(retriever, 'download_extractor')
  if (extractor?.type !== 'ResponseToFileExtractor') {
    return planDecoder(input, componentIn(retriever, 'download_decoder'))
  }
  const nulls = extractor.preserve_na_values === true ? [''] : ['', ...missing]
  return { kind: 'gzip', inner: { kind: 'csv', delimiter: ',', encoding: 'utf-8', nulls } }
}
