/** Facts about a page → the YAML block that markdown starts with. */

/** JSON strings are YAML strings, so no value can break out of it. */
export function frontMatter(facts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return ['---', ...lines, '---'].join('\n')
}
