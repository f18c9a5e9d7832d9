/** Every fault of the lab × every way of paging: what is lost in truth, and whether receipt and diagnosis say so. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { loadManifest, readRecords } from '../../src/index.ts'
import { faults } from '../../src/lab/faults.ts'
import { type Lab, startLab } from '../../src/lab/lab.ts'
import { holdPart } from '../helpers/docs.ts'
import { isWhole, someOf } from '../helpers/proof.ts'
import { type Cell, pageSize, readCell, size } from './cell.ts'
import { manifestFor, methods } from './methods.ts'
import { tableOf } from './table.ts'
import { unseen, wrongIn } from './wrong-in.ts'

suite('a read reports what went wrong, and raises no alarm where nothing did', () => {
  let lab: Lab
  before(async () => {
    lab = await startLab({ size })
  })
  after(() => lab.close())
  const cells: Cell[] = []

  const pairs = [null, ...faults].flatMap((fault) =>
    methods.filter(({ dialect }) => fault === null || fault.suits(dialect.traits)).map((method) => ({ fault, method })),
  )
  for (const { fault, method } of someOf(pairs)) {
    test(`${fault?.name ?? 'no fault'}, ${method.name}`, async () => {
      const cell = await readCell(method, fault, lab.url)
      cells.push(cell)
      const { method: _, fault: __, ...seen } = cell
      assert.equal(wrongIn(cell), null, JSON.stringify(seen))
    })
  }

  if (isWhole)
    test('where nothing can show a loss, records are lost', () => {
      for (const name of unseen) assert.ok(cells.some(({ fault, lost }) => fault?.name === name && lost > 0))
    })

  if (isWhole)
    test('docs/reliability-tests.md has every cell', () => holdPart('reliability-tests', 'misbehaving', tableOf(cells)))
})

test('credentials stay with the host they belong to, whatever a next link says', async () => {
  await using lab = await startLab({ size })
  const authenticator = { type: 'BearerAuthenticator', api_token: 'leaf-token' }
  const [method] = methods.filter(({ stream }) => stream === 'next_url') as [(typeof methods)[number]]
  const manifest = loadManifest(manifestFor(method, '/secure/bearer/faults/foreign-link', { authenticator }))
  const ids: unknown[] = []
  const read = async () => {
    for await (const { id } of readRecords(manifest, { config: { base_url: lab.url, page_size: pageSize } }))
      ids.push(id)
  }
  // The other host asks for what only the first may see.
  await assert.rejects(read, { code: 'response/rejected', message: /localhost.* 401/ })
  assert.equal(ids.length, pageSize)
})
