/** A member of an object, whatever it is called. */

/** Assigning to `__proto__` would not make a member of that name. */
export function setOwn(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true })
  else members[name] = value
}
