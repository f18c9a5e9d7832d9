/** Sets a member of an object, whatever its name. */

/** Plain assignment to `__proto__` would set the prototype instead. */
export function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
  else target[name] = value
}
