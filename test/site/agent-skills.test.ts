/** The skill that agents find: its index is as the specification says, and every command in it works. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { startLab } from '../../src/lab/lab.ts'
import { runCli } from '../cli/run-cli.ts'
import { connectorFolder } from '../helpers/connector-folder.ts'
import { type Running, ask, startBoth } from './running.ts'

type Skill = { name: string; type: string; description: string; url: string; digest: string }

let running: Running
before(async () => {
  running = await startBoth()
})
after(() => running[Symbol.asyncDispose]())

const indexOf = async () => {
  const { body, headers } = await ask(`${running.baseUrl}/.well-known/agent-skills/index.json`)
  assert.equal(headers['content-type'], 'application/json')
  return JSON.parse(body) as { $schema: string; skills: Skill[] }
}

describe('the index of skills', () => {
  test('is of version 0.2.0, and the digest is that of the bytes served', async () => {
    const { $schema, skills } = await indexOf()
    assert.equal($schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json')
    assert.equal(skills.length, 1)
    for (const { name, type, description, url, digest } of skills) {
      assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      assert.ok(name.length <= 64 && description.length <= 1024)
      assert.equal(type, 'skill-md')
      const reply = await ask(url)
      assert.equal(reply.headers['content-type'], 'text/markdown; charset=utf-8')
      assert.equal(digest, `sha256:${createHash('sha256').update(reply.bytes).digest('hex')}`)
      const front = parse(/^---\n(.*?)\n---\n/s.exec(reply.body)?.[1] ?? '') as { name: string; description: string }
      assert.deepEqual(front, { name, description })
    }
  })

  test('is in llms.txt, the catalog and the homepage', async () => {
    const path = '/.well-known/agent-skills/index.json'
    for (const place of ['/llms.txt', '/.well-known/api-catalog', '/', '/index.md']) {
      assert.ok((await ask(running.baseUrl + place)).body.includes(path), place)
    }
  })
})

test('every command of the skill runs, in its order, with the results it promises', async () => {
  const [skill] = (await indexOf()).skills
  const { body } = await ask(skill?.url ?? '')
  const blocks = [...body.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const lines = blocks.flatMap((block) => block.trim().split('\n'))
  assert.equal(lines.length, 9)
  const config = /^```yaml\n(.*?)^```$/ms.exec(body)?.[1] ?? ''
  await using lab = await startLab()
  await using own = await connectorFolder({ 'config.yaml': config })
  const { folder } = own
  const ran: string[] = []
  for (const line of lines) {
    const [npx, program, command = '', ...rest] = wordsOf(line)
    assert.deepEqual([npx, program], ['npx', 'turnleaf'])
    // The survey has its own tests, and takes longer than all the rest: one fault shows that the command works.
    const more = command === 'lab' ? ['--fault', 'capped-size'] : []
    const args = [...rest, ...more].map((word) =>
      word.replace('https://api.example.com/orders', `${lab.url}/offset`).replace(/\borders\b/, 'offset'),
    )
    const { code, stdout, stderr } = await runCli([command, ...args], { cwd: folder, env: { API_TOKEN: 'abc' } })
    if (command !== 'lab') assert.equal(code, 0, `${line}\n${stderr}`)
    else assert.ok(code === 0 || code === 1, stderr)
    assert.ok(!(stdout + stderr).includes('abc'), 'the secret is not shown')
    ran.push(command)
    if (command === 'query') assert.match(stdout, /\b250\b/)
    if (command === 'runs') assert.match(stdout + stderr, /complete/)
  }
  assert.deepEqual(ran, ['detect', 'validate', 'check', 'read', 'diagnose', 'lab', 'sync', 'query', 'runs'])
})

/** As a shell splits a line: quotes keep words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
