/** Which files of src import each other in circles; for the architecture test, and for `npm run measure`. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

/** The files that a file imports, types included: a reader follows those, too. */
const filesBelow = (file: string) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/^(?:import|export) [^;']*?from '(\.[^']+)'/gm)].map(
    ([, path]) => normalize(join(dirname(file), path as string)),
  )

/** Groups of files each of which leads, import by import, to every other: Tarjan's strongly connected components. */
export function circlesAmong(files: readonly string[]): string[][] {
  const order = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    let low = order.get(file) as number
    path.push(file)
    for (const next of filesBelow(file)) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, order.get(next) as number)
    }
    if (low === order.get(file)) {
      const circle = path.splice(path.indexOf(file))
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return low
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return circles
}
