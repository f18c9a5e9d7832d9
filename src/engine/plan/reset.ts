/** `pagination_reset` → what becomes of a slice whose pages must start again. */
import { ConnectorError } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import type { ResetPlan } from './plan.ts'
import { componentIn, type PlanInput } from './read-fields.ts'

export function planReset(input: PlanInput, retriever: Component): ResetPlan {
  const reset = componentIn(retriever, 'pagination_reset')
  // Airbyte: without the block an answer may still ask for it, and the slice is read once more.
  if (reset === null) return { splits: false, maxRecords: null, at: input.manifest.at(retriever) }
  return {
    splits: reset.action === 'SPLIT_USING_CURSOR',
    maxRecords: planLimit(input, reset, retriever),
    at: input.manifest.at(reset),
  }
}

function planLimit(input: PlanInput, reset: Component, retriever: Component): number | null {
  const limits = componentIn(reset, 'limits')
  const maxRecords = (limits?.number_of_records as number | undefined | null) ?? null
  if (limits === null || maxRecords === null) return null
  const refuse = (message: string) =>
    new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(limits, 'number_of_records') })
  if (maxRecords < 1) throw refuse(`\`number_of_records\` is ${maxRecords}, where at least 1 is needed.`)
  // Airbyte: refused too. An API that stops after so many records counts those that the filter drops.
  const selector = componentIn(retriever, 'record_selector')
  if (selector !== null && componentIn(selector, 'record_filter') !== null) {
    throw refuse('A limit on records cannot go with a record filter, which hides how many the API sent.')
  }
  return maxRecords
}
