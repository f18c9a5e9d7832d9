import type { Pair } from './given-request.ts'

/** A value, which may be a template → one that only the first request of a read has: a parameter without a value is not sent. */
export function onFirstRequest(value: string): string {
  return `{% if not next_page_token %}${value}{% endif %}`
}

export function withFirstOnly(pairs: readonly Pair[], names: readonly string[]): Pair[] {
  return pairs.map(([name, value]): Pair => [name, names.includes(name) ? onFirstRequest(value) : value])
}
