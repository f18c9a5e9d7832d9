/** What can be found and done, and how a few words find it. */

export type Command = {
  /** The same for the same thing, so that it is remembered: `stream orders`. */
  readonly id: string
  /** `Streams`, `Actions`. */
  readonly group: string
  readonly label: string
  /** A key, or where it leads. */
  readonly hint?: string
  /** Other words that find it. */
  readonly words?: string
  /** Found by words only: there are too many of them to be listed. */
  readonly isHidden?: boolean
  readonly run: () => void
}

export type CommandGroup = { readonly name: string; readonly commands: readonly Command[] }

const mostFound = 50
const mostRecent = 5
const mostOfGroup = 20

/** Where one works first. Other groups come after these. */
const firstGroups = ['Actions', 'Sections', 'Streams', 'Pages', 'Connectors']

/** Everything, by group, what was used lately first; in a group, what has a key comes first. */
export function listCommands(commands: readonly Command[], recent: readonly string[]): CommandGroup[] {
  const used = recent.flatMap((id) => commands.find((one) => one.id === id) ?? []).slice(0, mostRecent)
  const others = commands.filter((one) => one.isHidden !== true && !used.includes(one))
  const present = new Set(others.map(({ group }) => group))
  const names = [...new Set([...firstGroups, ...present])].filter((name) => present.has(name))
  const groups = names.map((name) => ({
    name,
    commands: others
      .filter(({ group }) => group === name)
      .toSorted(byKey)
      .slice(0, mostOfGroup),
  }))
  return used.length === 0 ? groups : [{ name: 'Recent', commands: used }, ...groups]
}

const byKey = (one: Command, other: Command) => Number(one.hint === undefined) - Number(other.hint === undefined)

/** Those that have every word, the best first. Of equals, what was used lately. */
export function findCommands(commands: readonly Command[], wanted: string, recent: readonly string[]): Command[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const scored = commands.flatMap((command, place) => {
    const score = scoreOf(command, words)
    return score === null ? [] : [{ command, place, score, age: ageOf(command, recent) }]
  })
  return scored
    .toSorted((one, other) => one.score - other.score || one.age - other.age || one.place - other.place)
    .slice(0, mostFound)
    .map(({ command }) => command)
}

function ageOf({ id }: Command, recent: readonly string[]): number {
  const at = recent.indexOf(id)
  return at === -1 ? recent.length : at
}

/** The sum over its words: where the label begins with one, where a word of it does, in it, elsewhere; null for none. */
function scoreOf({ label, group, words: others = '' }: Command, words: readonly string[]): number | null {
  const name = label.toLowerCase()
  const rest = `${group} ${others}`.toLowerCase()
  let sum = 0
  for (const word of words) {
    const at = name.indexOf(word)
    if (at === 0) sum += name === word ? 0 : 1
    else if (at > 0) sum += /[a-z0-9]/.test(name[at - 1] ?? '') ? 3 : 2
    else if (rest.includes(word)) sum += 5
    else return null
  }
  return sum
}
