/** A path of names ↔ one line of text: `data.items`, `odata."next.link"`. */

/** A name in quotes (or from a quote that is not closed yet), or all up to the next dot outside `{{ … }}`. */
const nameAhead = /^\s*(?:"((?:[^"\\]|\\.)*)(?:"\s*(?=\.|$)|$)|((?:\{\{.*?\}\}|[^.])*))/su
const template = /\{\{.*?\}\}/gsu

/** Empty names are left out: after a dot the next name is about to be typed. `""` is the empty name. */
export function namesFrom(text: string): string[] {
  const names: string[] = []
  for (let rest = text; rest !== ''; ) {
    const [whole, quoted, plain = ''] = nameAhead.exec(rest) ?? ['']
    const name = quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(.)/gsu, '$1')
    if (name !== '' || quoted !== undefined) names.push(name)
    // After a name there is a dot, or nothing.
    rest = rest.slice(whole.length + 1)
  }
  return names
}

export function textOfNames(names: readonly string[]): string {
  return names.map((name) => (isPlain(name) ? name : `"${name.replaceAll(/["\\]/gu, '\\$&')}"`)).join('.')
}

/** Whether it needs no quotes: a template in it may contain dots. */
function isPlain(name: string): boolean {
  const around = name.replaceAll(template, 'x')
  return /^[^."\s](?:[^."]*[^."\s])?$/u.test(around) && !around.includes('{{')
}

/** A path as manifests write it: a list of names, or one name alone. Null for what cannot be shown as a line. */
export function namesIn(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return null
  return value.every(isName) ? value.map(String) : null
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
