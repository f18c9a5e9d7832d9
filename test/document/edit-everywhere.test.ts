/** Edits at seeded random places of public manifests: the value is the one wished, and all around it stays byte for byte. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { insertItem, moveItem, removeIn, renameKey, setIn } from '../../src/document/edit.ts'
import { duplicateStream, moveStream, removeStream } from '../../src/document/edit-streams.ts'
import { openDocument } from '../../src/document/open-document.ts'
import { resolveIn } from '../../src/document/references.ts'
import { entryEnd, locate, type SourceTree, type SourceStep } from '../../src/document/source-tree.ts'
import { isSame, type Path, valueAt, withoutValueAt, withValueAt } from '../../src/document/value-path.ts'
import { treeOf } from '../../src/document/tree-of.ts'
import { parseText } from '../../src/engine/manifest/parse.ts'
import { isNode, isObject } from '../../src/engine/manifest/tree.ts'
import { firstSeed, partOf } from '../helpers/proof.ts'

/** `TURNLEAF_MANIFESTS=folder` runs over every manifest there; `TURNLEAF_EDITS` says how many edits each gets. */
const folder = process.env.TURNLEAF_MANIFESTS ?? 'test/manifests'
const edits = Number(process.env.TURNLEAF_EDITS ?? partOf(8))

const values = JSON.parse(String.raw`[
  "x", "yes", "{{ config[\"a\"] }}", "line\n  line\n", "a: b # c", "it's", "", 5, true, null, {}, [],
  {"a": 1, "b": ["x", {"c": "null"}]}, [1, {"c": 2}], [[1], []]
]`) as unknown[]

/** Numbers between 0 and 1, the same on every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

function randomPath(root: unknown, random: () => number): Path {
  const path: (string | number)[] = []
  let value = root
  while (isNode(value) && Object.keys(value).length > 0 && (path.length === 0 || random() > 0.12)) {
    const keys = Object.keys(value)
    const key = keys[Math.floor(random() * keys.length)] as string
    path.push(Array.isArray(value) ? Number(key) : key)
    value = valueAt(value, path.slice(-1))
  }
  return path
}

/** Everything before and after what may change. */
function around({ text }: SourceTree, steps: readonly SourceStep[]): { before: string; tail: string } {
  const { held, end } = steps.at(-1) as SourceStep
  const start = held?.start ?? 0
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  return { before: text.slice(0, lineStart), tail: lineEnd < 0 ? '' : text.slice(lineEnd) }
}

function assertSays(after: string, goal: unknown, what: string): void {
  assert.ok(isSame(parseText(after).value, goal), what)
}

function assertKept(after: string, { before, tail }: { before: string; tail: string }, what: string): void {
  assert.ok(after.startsWith(before), `${what}: changed before`)
  assert.ok(after.endsWith(tail), `${what}: changed after it`)
}

for (const [number, file] of readdirSync(folder).entries()) {
  test(`edits of ${file}`, () => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    const tree = treeOf(text)
    assert.ok(tree?.root)
    const root = tree.root.value
    assert.ok(isSame(parseText(text).value, root), 'reads as the engine does')
    const random = randomNumbers(firstSeed + number + 1)
    for (let count = 0; count < edits; count++) {
      const path = randomPath(root, random)
      const { steps, rest } = locate(tree, path) ?? { steps: null, rest: [] }
      const value = values[Math.floor(random() * values.length)]
      const what = `${JSON.stringify(path)} ${JSON.stringify(value)}`
      const after = setIn(text, path, value)
      assertSays(after, withValueAt(root, path, value), `set ${what}`)
      if (steps !== null && rest.length === 0 && !tree.isTangled) assertKept(after, around(tree, steps), `set ${what}`)
      checkRemoval(tree, path, what)
      checkMembers(tree, path, value, what)
    }
  })
}

for (const [number, file] of readdirSync(folder).entries()) {
  test(`references to the streams of ${file} follow them`, () => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    const root = openDocument(text).value
    const streams = valueAt(root, ['streams'])
    if (!Array.isArray(streams) || streams.length < 2 || streams.length > 40) return
    const random = randomNumbers(firstSeed + number + 1)
    const order = [...streams.keys()]
    const from = Math.floor(random() * order.length)
    const to = Math.floor(random() * order.length)
    const moved = order.toSpliced(from, 1).toSpliced(to, 0, from)
    const probed = withProbes(text, order)
    const after = moveStream(probed, ['streams', from], to)
    assert.equal(after, withProbes(moveStream(text, ['streams', from], to), inverse(moved)), 'every other byte')
    assert.equal(moveStream(after, ['streams', to], from), probed, 'moved back')
    assert.deepEqual(probesIn(after), probesIn(probed), 'moved')
    assert.deepEqual(probesIn(duplicateStream(probed, ['streams', from], 'a copy')), probesIn(probed), 'copied')
    assert.deepEqual(probesIn(removeStream(probed, ['streams', from])), probesIn(probed), 'removed')
  })
}

/** A definition for each stream, which refers to it by place. */
function withProbes(text: string, places: readonly number[]): string {
  const probes = places.map((place, index) => [`probe ${index}`, { $ref: `#/streams/${place}` }])
  return setIn(text, ['definitions', 'probes'], Object.fromEntries(probes))
}

function probesIn(text: string): unknown {
  const root = openDocument(text).value
  return resolveIn(root, valueAt(root, ['definitions', 'probes']))
}

function inverse(order: readonly number[]): number[] {
  return order.map((_, index) => order.indexOf(index))
}

function checkRemoval(tree: SourceTree, path: Path, what: string): void {
  const root = tree.root?.value
  const after = removeIn(tree.text, path)
  assertSays(after, withoutValueAt(root, path), `remove ${what}`)
  const { steps, rest } = locate(tree, path) ?? { steps: [], rest: [] }
  const parent = steps.at(-2)
  if (rest.length > 0 || tree.isTangled || parent === undefined || !('entries' in parent.node)) return
  const { entries } = parent.node
  const index = (steps.at(-1) as SourceStep).held?.index ?? 0
  const next = entries[index + 1]
  // The only member leaves `{}` after its key, and the next one moves up next to a dash.
  const widest = entries.length === 1 ? around(tree, steps.slice(0, -1)) : around(tree, steps)
  const tail = next === undefined ? widest.tail : tree.text.slice(parent.start + entryEnd(next))
  assertKept(after, { before: widest.before, tail }, `remove ${what}`)
}

function checkMembers(tree: SourceTree, path: Path, value: unknown, what: string): void {
  const { text } = tree
  const root = tree.root?.value
  const holder = valueAt(root, path.slice(0, -1))
  const key = path.at(-1)
  const list = path.slice(0, -1)
  if (Array.isArray(holder)) {
    const at = Number(key)
    assertSays(
      insertItem(text, list, at, value),
      withValueAt(root, list, holder.toSpliced(at, 0, value)),
      `insert ${what}`,
    )
    const moved = holder.toSpliced(at, 1).toSpliced(0, 0, holder[at])
    const after = moveItem(text, list, at, 0)
    assertSays(after, withValueAt(root, list, moved), `move ${what}`)
    assert.deepEqual(after.split('\n').toSorted(), text.split('\n').toSorted(), `move ${what}`)
  }
  if (isObject(holder)) {
    const added = setIn(text, [...list, 'brand new'], value)
    assertSays(added, withValueAt(root, [...list, 'brand new'], value), `add ${what}`)
    const renamed = Object.fromEntries(Object.entries(holder).map(([name, one]) => [name === key ? 'null' : name, one]))
    assertSays(renameKey(text, path, 'null'), withValueAt(root, list, renamed), `rename ${what}`)
  }
}
