/** Unsaved text of a connector that got another name, for the session that opens under it. */

const carried = new Map<string, string>()

export function carryText(name: string, text: string): void {
  carried.set(name, text)
}

export function carriedText(name: string): string | null {
  return carried.get(name) ?? null
}

export function forgetCarried(name: string): void {
  carried.delete(name)
}
