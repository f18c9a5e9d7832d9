/** Values and ready JSON texts → one JSON text. */

/** A piece that is JSON already: a list of records, or a number with more digits than JavaScript holds. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Writes JSON as `JSON.stringify` does, and passes each `JsonText` through as it is. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`)
  return `{${members.join(',')}}`
}
