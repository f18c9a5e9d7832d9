/** Whether a schema loader already says what was inferred; the order of names says nothing. */

export function usesSchema(loader: unknown, schema: unknown): boolean {
  if (typeof loader !== 'object' || loader === null || !('schema' in loader)) return false
  return inOrder(loader.schema) === inOrder(schema)
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
