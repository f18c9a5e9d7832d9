/** The request just made → a link to another page of it. */
import type { Question } from './exchange.ts'

/** The same path and query with some parameters changed, from the root on: `/link?page=2&per_page=100`. */
export function pathTo(question: Question, changes: Record<string, string | number>): string {
  const query = new URLSearchParams(question.query)
  // A link travels further than the request it answers; it carries no credential.
  query.delete('api_key')
  for (const [name, value] of Object.entries(changes)) query.set(name, String(value))
  return `${question.path}?${query.toString()}`
}

/** The same as a whole URL. */
export function urlTo(question: Question, changes: Record<string, string | number>): string {
  return question.origin + pathTo(question, changes)
}
