/** The picture of the builder: its size, and the files for light and dark pages. `npm run screenshots` makes them. */
import type { Scheme } from '../tokens.ts'

export const picture = {
  width: 1280,
  height: 680,
  /** Pixels for each pixel of the page. */
  scale: 1.25,
  /** Of the encoder: text is still sharp, and a file has less than 60 KB. */
  quality: 0.55,
}

export function pictureFile(scheme: Scheme): string {
  return `builder-${scheme}.webp`
}
