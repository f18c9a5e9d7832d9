/** Names for connectors and streams, proposed from what is known of them: a file, an address. */

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

/** `https://api.eu.shop.example` → `shop`. */
export function nameFromAddress(address: string): string {
  const host = /^(?:https?:\/\/)?([^/:?#]+)/i.exec(address)?.[1] ?? ''
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return 'local'
  const labels = host.split('.').filter((label) => !/^(www|api|rest|app|data|gateway|v\d+)$/i.test(label))
  // `shop.co.uk`: the last two are both of the registry.
  const isNational = labels.length > 2 && /^(co|com|org|net|ac|gov|edu)$/i.test(labels.at(-2) ?? '')
  return nearestName(labels.at(isNational ? -3 : -2) ?? labels[0] ?? '')
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
