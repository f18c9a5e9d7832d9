/** By its first bytes. Apart from what unpacks it, which most reads do not load. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b
}
