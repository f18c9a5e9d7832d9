/** Exported programs of manifests that try to break out of literals and comments: they say the same, and run nothing more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { parseSync, transformSync } from 'rolldown/utils'
import { typescriptOf } from '../../../src/server/export/typescript.ts'
import { diceOf, type Dice } from '../../helpers/dice.ts'
import { manifestOf } from '../../helpers/manifests.ts'

const attack = 'globalThis.foreign = true'
const pieces = [
  '\u2028',
  '\u2029',
  '\n',
  '\r',
  '\r\n',
  '\u0085',
  '*/',
  '/*',
  '//',
  '`',
  '${',
  '}',
  "'",
  '"',
  '\\',
  '\\\\',
  '</script>',
  '\u202e',
  '\0',
  '\ud800',
  '<!--',
  '-->',
  ', ',
  ');',
  '__proto__',
  'name',
]

function hostileText(dice: Dice): string {
  const parts = Array.from({ length: dice.int(1, 5) }, () => dice.pick(pieces))
  return dice.pick([
    `${parts.join('')}${attack}${dice.pick(pieces)}`,
    `x${parts.join('')}`,
    `${parts.join('')};${attack}//`,
  ])
}

function hostileInput(dice: Dice, depth = 0): Record<string, unknown> {
  const text = () => hostileText(dice)
  const described = { ...(dice.chance(0.5) && { description: text() }), ...(dice.chance(0.3) && { title: text() }) }
  switch (dice.int(0, depth > 1 ? 4 : 6)) {
    case 0:
      return { ...described, type: 'string', default: text() }
    case 1:
      return { ...described, type: 'string', enum: [text(), text()] }
    case 2:
      return { ...described, type: 'string', airbyte_secret: true }
    case 3:
      return { ...described, type: dice.pick(['integer', 'boolean', 'array', text()]) }
    case 4:
      return { ...described, type: 'object', default: { [text()]: [text()] } }
    case 5:
      return {
        ...described,
        type: 'object',
        properties: { [text()]: hostileInput(dice, depth + 1) },
        required: dice.chance(0.5) ? [] : undefined,
      }
    default:
      return {
        ...described,
        oneOf: [
          { title: text(), properties: { [text()]: hostileInput(dice, depth + 1) } },
          { title: text(), properties: {} },
        ],
      }
  }
}

function hostileManifest(seed: number): string {
  const dice = diceOf(seed)
  const names = Array.from({ length: dice.int(1, 4) }, () => hostileText(dice))
  const properties = Object.fromEntries(names.map((name) => [name, hostileInput(dice)]))
  const required = names.filter(() => dice.chance(0.5))
  const source = manifestOf({ url: 'https://shop.test', stream: { name: hostileText(dice) } })
  return JSON.stringify({
    ...source,
    spec: { type: 'Spec', connection_specification: { type: 'object', required, properties } },
  })
}

/** The kinds of the statements that are not inside another. Throws on bad syntax. */
function statementsOf(program: string): string[] {
  const { program: parsed, errors } = parseSync('program.ts', program)
  assert.deepEqual(errors, [], program)
  return parsed.body.map(({ type }) => type)
}

/** As a module would run, with the library replaced by a recorder. */
async function runProgram(program: string) {
  const body = program.replace(/^import \{ .* \} from 'turnleaf'$/m, '')
  const { code } = transformSync('program.ts', `(async () => {${body}\n})()`)
  const global: Record<string, unknown> = {
    process: { env: new Proxy({}, { get: () => '[]' }) },
    console,
    stringifyJson: JSON.stringify,
    loadManifest: (text: string) => text,
  }
  const read: { manifest: unknown; stream: unknown }[] = []
  global.readRecords = (manifest: unknown, { stream }: { stream: unknown }) => {
    read.push({ manifest, stream })
    return []
  }
  await runInNewContext(code, global)
  return { read, foreign: global.foreign }
}

test('300 hostile manifests: the same statements, the same text, nothing foreign run', async () => {
  const plain = new Set(['ImportDeclaration', 'VariableDeclaration', 'ForOfStatement', 'FunctionDeclaration'])
  for (let seed = 0; seed < 300; seed++) {
    const text = hostileManifest(seed)
    const program = await typescriptOf('shop', text)
    const statements = statementsOf(program)
    assert.deepEqual(
      statements.filter((kind) => !plain.has(kind)),
      [],
      `seed ${seed}`,
    )
    // Import, config, manifest, loop, manifestText; and a helper or two.
    assert.ok(statements.length >= 5 && statements.length <= 7, `seed ${seed}: ${statements.join()}`)
    const { read, foreign } = await runProgram(program)
    assert.equal(foreign, undefined, `seed ${seed}\n${program}`)
    assert.equal(read[0]?.manifest, text, `seed ${seed}`)
  }
})

test('a line separator in the name of an optional input ends no comment', async () => {
  const properties = {
    [`a\u2028${attack}//`]: { type: 'string' },
    b: { oneOf: [{ title: `x\n${attack}//` }, { title: 'y' }] },
  }
  const source = {
    ...manifestOf({ url: 'https://shop.test' }),
    spec: { type: 'Spec', connection_specification: { properties } },
  }
  const kinds = statementsOf(await typescriptOf('shop', JSON.stringify(source)))
  const [read, constant, helper] = ['ForOfStatement', 'VariableDeclaration', 'FunctionDeclaration']
  assert.deepEqual(kinds, ['ImportDeclaration', constant, constant, read, helper, helper])
})
