/**
 * How much of the random suites runs, and from which seed. `npm test` runs about a quarter of each, always the same;
 * `npm run test:proof` sets TURNLEAF_PROOF, runs them whole, and once more from a random seed (TURNLEAF_SEED), which it prints.
 */

/** All of it, rather than a quarter. */
export const isWhole = process.env.TURNLEAF_PROOF === '1'

/** The first seed; the others count up from it. */
export const firstSeed = Number(process.env.TURNLEAF_SEED ?? 0)

/** Tables in docs/ have the figures of the whole, from the usual seed: only then are they held, or written. */
export const hasDocsFigures = isWhole && firstSeed === 0

/** How many to draw, of so many. */
export function partOf(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 4)
}

/** So many seeds, a quarter of them unless all are requested. */
export function seedsOf(whole: number): number[] {
  return Array.from({ length: partOf(whole) }, (_, index) => firstSeed + index)
}

/** Every fourth of a list, so that each kind of case comes up; all of it when all is requested. */
export function someOf<T>(whole: readonly T[]): T[] {
  return whole.filter((_, index) => isWhole || (index + firstSeed) % 4 === 0)
}
