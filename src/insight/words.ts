/** Numbers as people read them. */

export function count(number: number): string {
  return number.toLocaleString('en-US')
}

export function several(number: number, thing: string): string {
  return `${count(number)} ${thing}${number === 1 ? '' : 's'}`
}
