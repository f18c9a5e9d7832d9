import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { page } from '../helpers/docs.ts'
import { cursorPaginator, manifestOf, offsetPaginator } from '../helpers/manifests.ts'
import { runCli, said, startCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const byOffset = manifestOf({ stream: { primary_key: 'id' }, paginator: offsetPaginator() })
const byCursor = manifestOf({ stream: { primary_key: 'id' }, paginator: cursorPaginator('{{ response.next }}') })

describe('turnleaf lab --survey', { concurrency: 3 }, () => {
  test('a manifest that nothing fools ends with 0: a row for each fault, and a line that sums up', async () => {
    const ran = await runCli(['lab', '--survey', '-'], { input: JSON.stringify(byCursor) })
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, /^fault +items\n/)
    assert.match(
      ran.stdout,
      /^short-page +survives +All 11 records were read, none twice; the receipt says complete: /m,
    )
    assert.match(ran.stdout, /^cycle +reports +The read stops with pagination\/loop: /m)
    assert.match(ran.stdout, /^foreign-link +does not apply +The next page is not requested by a link\.$/m)
    assert.match(ran.stdout, /\n\nSurvives \d+ of \d+ faults, reports \d+, misses none\.\n$/)
    assert.equal(ran.stderr, '')
  })

  test('one that is fooled ends with 1, and says by how much', async () => {
    await using files = await tempFolder()
    await files.write('manifest.yaml', byOffset)
    const ran = await runCli(['lab', '--survey', files.folder, '--fault', 'capped-size', '--fault', 'html'])
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /^capped-size +misses +9 of 11 records are missing, and the receipt says not verified: /m)
    const sum = 'Survives 0 of 2 faults, reports 1, misses 1; 1 of these would be noticed if the API reported a total.'
    assert.ok(ran.stdout.endsWith(`\n\n${sum}\n`), ran.stdout)
  })

  test('several streams share a table; what fools them is listed below', async () => {
    const faults = ['--fault', 'short-page', '--fault', 'expired-cursor']
    const ran = await runCli(['lab', '--survey', 'connectors/lab', ...faults])
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /^fault +offset +offset_header +range .*\nshort-page +misses +misses +misses /)
    assert.match(ran.stdout, /^expired-cursor +– +– /m)
    assert.match(ran.stdout, /\n\noffset, offset_header, .*: short-page: \d+ of \d+ records are missing/)
    assert.match(ran.stderr, /^Skipped, reads one page: all$/m)
    assert.match(ran.stderr, /^Skipped, paginates as offset does: secure_bearer, /m)
    for (const line of ran.stdout.split('\n\n')[0]?.split('\n') ?? []) assert.ok(line.length <= 120, line)
  })

  test('programs get one result a line, and the sum on standard error', async () => {
    const args = ['lab', '--survey', '-', '--json', '--fault', 'cycle', '--fault', 'slow-body']
    const ran = await runCli(args, { input: JSON.stringify(byCursor) })
    const lines = ran.stdout.trimEnd().split('\n')
    const results = lines.map((line) => JSON.parse(line) as { stream: string; fault: string; outcome: string })
    assert.deepEqual(
      results.map(({ stream, fault, outcome }) => [stream, fault, outcome]),
      [
        ['items', 'cycle', 'reports'],
        ['items', 'slow-body', 'survives'],
      ],
    )
    assert.equal(ran.stderr, 'Survives 1 of 2 faults, reports 1, misses none.\n')
  })

  test('faults of the manifest and of the arguments end with 2', async () => {
    const broken = await runCli(['lab', '--survey', '-'], { input: 'streams: 3' })
    assert.equal(broken.code, 2)
    assert.match(broken.stderr, /^manifest\//)
    for (const [args, words] of [
      [['--survey', '-', '--fault', 'cycel'], /lab\/unknown-fault: .*\n {2}try {2}Did you mean "cycle"\?/],
      [['--survey', '-', '--stream', 'itens'], /manifest\/unknown-stream/],
      [['--survey', '-', '--port', '9000'], /cli\/arguments/],
      [['--json'], /--json needs --survey/],
    ] as const) {
      const ran = await runCli(['lab', ...args], { input: JSON.stringify(byCursor) })
      assert.equal(ran.code, 2, args.join(' '))
      assert.match(ran.stderr, words)
    }
  })

  test('docs/cli.md shows what it prints', async () => {
    const [, shown = ''] = /^\$ npx turnleaf lab --survey .*\n(.*?)^```$/ms.exec(page('cli')) ?? []
    const orders = manifestOf({ name: 'orders', stream: { primary_key: 'id' }, paginator: offsetPaginator() })
    const { stdout } = await runCli(['lab', '--survey', '-', '--stream', 'orders'], { input: JSON.stringify(orders) })
    const missing = shown
      .split('\n')
      .filter((line) => !stdout.includes(`\n${line.replace(/…$/, '')}`.replace(/^\nfault/, 'fault')))
    assert.deepEqual(missing, [])
  })

  test('Ctrl-C ends it by the signal, whatever was found so far', async () => {
    await using started = startCli(['lab', '--survey', 'connectors/lab', '--json'])
    await said(started.child.stdout, '"fault"')
    started.child.kill('SIGINT')
    assert.equal(await started.ended, 'SIGINT')
  })
})
