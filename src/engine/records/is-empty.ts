/** Whether Python takes a value of JSON for false. */
export function isEmpty(found: unknown): boolean {
  if (typeof found !== 'object') return !found
  return found === null || Object.keys(found).length === 0
}
