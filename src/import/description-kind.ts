/** The text of a description → what it is. */
import type { DescriptionKind } from './import-api.ts'

/** Far enough for the first keys of any of them. */
const beginning = 100_000

/** What is none of them is taken for OpenAPI, whose reader says what it is instead. */
export function descriptionKind(text: string): DescriptionKind {
  const start = text.slice(0, beginning)
  if (/^\s*\{/.test(start)) {
    if (
      /"(?:_postman_id|item)"\s*:/.test(start) &&
      /"info"\s*:/.test(start) &&
      !/"(?:openapi|swagger)"\s*:\s*"/.test(start)
    )
      return 'postman'
    if (/^\s*\{\s*"log"\s*:/.test(start)) return 'har'
  }
  return 'openapi'
}
