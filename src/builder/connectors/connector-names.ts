/** Names for connectors and streams, proposed from what is known of them: a file, an address. */
import { ownerOf } from '../../from-request/address.ts'

const nameRule = /^[a-z0-9][a-z0-9_-]{0,62}$/

export function isConnectorName(text: string): boolean {
  return nameRule.test(text)
}

/** Any text → the nearest name that a connector may have. */
export function nearestName(text: string, fallback = 'connector'): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 63)
  return isConnectorName(name) ? name : fallback
}

/** The same while it is being typed: a hyphen at the end may be followed by more. `My Shop API` → `my-shop-api`. */
export function nameAsTyped(text: string): string {
  const end = /[\s_-]$/.test(text) ? '-' : ''
  const name = nearestName(text, '')
  return name === '' || name.length === 63 ? name : name + (text.endsWith('_') ? '_' : end)
}

/** `manifest.yaml` says nothing: then the folder, or the words before. */
export function nameFromFile(file: string): string {
  const parts = file.split(/[/\\]/).filter((part) => part !== '')
  const base = (parts.at(-1) ?? '').replace(/\.(ya?ml|json|txt)$/i, '')
  const isPlain = /^(manifest|connector|source|untitled)?([ _-]?\(?\d*\)?)$/i.test(base)
  return nearestName((isPlain ? (parts.at(-2) ?? '') : base).replace(/^source-/i, ''))
}

export function nameFromAddress(address: string): string {
  return nearestName(ownerOf(address) ?? 'local')
}

/** The name, or the first free one with a number appended. */
export function freeName(wished: string, taken: readonly string[]): string {
  if (!taken.includes(wished)) return wished
  for (let count = 2; ; count += 1) {
    const end = `-${count}`
    const name = `${wished.slice(0, 63 - end.length)}${end}`
    if (!taken.includes(name)) return name
  }
}
