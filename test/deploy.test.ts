/** Files for other programs: they parse, and name commands, ports and versions that exist. No cluster is needed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { load, loadAll } from 'js-yaml'
import { parseSchedule } from '../src/connections/schedule.ts'
import { runCli } from './cli/run-cli.ts'
import { page } from './helpers/docs.ts'

const file = (path: string) => readFileSync(path, 'utf8')

const blocks = (language: string) =>
  [...page('running').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => String(code))

/** The options that a command is started with are options that it has. */
async function assertArguments(args: readonly string[]): Promise<void> {
  const { stdout } = await runCli([String(args[0]), '--help'])
  for (const name of args.filter((one) => one.startsWith('--'))) assert.match(stdout, new RegExp(`^ +${name} `, 'm'))
}

type Container = {
  args: string[]
  image: string
  ports?: { containerPort: number }[]
  readinessProbe?: { httpGet: { path: string } }
  volumeMounts: { mountPath: string }[]
}
type Pod = { securityContext: object; containers: [Container]; terminationGracePeriodSeconds: number }

test('the Dockerfile ends as a user that is not root, with the pinned queue and a worker', async () => {
  const lines = file('Dockerfile')
  const { peerDependencies } = JSON.parse(file('package.json')) as { peerDependencies: Record<string, string> }
  assert.ok(lines.includes(`pg-boss@${peerDependencies['pg-boss']}`))
  assert.deepEqual(
    [...lines.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    Array(2).fill('node:22-bookworm-slim'),
  )
  assert.ok(lines.lastIndexOf('\nUSER node\n') > lines.lastIndexOf('\nFROM '))
  const command = JSON.parse(/^CMD (.*)$/m.exec(lines)?.[1] ?? '') as string[]
  await assertArguments(command)
  assert.ok(lines.includes(`EXPOSE ${command[command.indexOf('--port') + 1]}`))
})

test('compose starts Postgres and as many workers as one number says', () => {
  const { services } = load(file('deploy/compose.yaml')) as {
    services: { worker: { deploy: object; environment: Record<string, string>; volumes: string[] }; postgres: object }
  }
  assert.deepEqual(Object.keys(services), ['postgres', 'worker'])
  assert.deepEqual(services.worker.deploy, { replicas: '${WORKERS:-2}' })
  assert.match(
    String(services.worker.environment.TURNLEAF_ON),
    /^postgres:\/\/turnleaf:\$\{POSTGRES_PASSWORD\}@postgres\//,
  )
  const home = /TURNLEAF_HOME=(\S+)/.exec(file('Dockerfile'))?.[1]
  assert.deepEqual(services.worker.volumes, [`./home:${home}`])
})

test('the Kubernetes manifests fit the image', async () => {
  const [deployment] = loadAll(file('deploy/kubernetes/worker.yaml')) as [
    {
      kind: string
      spec: { selector: { matchLabels: object }; template: { metadata: { labels: object }; spec: Pod } }
    },
  ]
  assert.equal(deployment.kind, 'Deployment')
  const { template, selector } = deployment.spec
  assert.deepEqual(selector.matchLabels, template.metadata.labels)
  const [container] = template.spec.containers
  await assertArguments(container.args)
  assert.equal(container.ports?.[0]?.containerPort, Number(container.args[container.args.indexOf('--port') + 1]))
  assert.equal(container.readinessProbe?.httpGet.path, '/health')
  assert.ok(file('Dockerfile').includes(`TURNLEAF_HOME=${container.volumeMounts[0]?.mountPath}\n`))
  const built = spawnSync('kubectl', ['kustomize', 'deploy/kubernetes'], { encoding: 'utf8' })
  // Not on every machine.
  if (built.error === undefined) assert.deepEqual([built.status, loadAll(built.stdout).length], [0, 2], built.stderr)
})

test('docs/running.md: its YAML, Python, units and cron lines are read by what they are for', async () => {
  const [workflow, job] = blocks('yaml').map((text) => load(text)) as [
    { jobs: { shop: { steps: { run?: string }[] } } },
    { kind: string; spec: { schedule: string; jobTemplate: { spec: { template: { spec: Pod } } } } },
  ]
  const { version } = JSON.parse(file('package.json')) as { version: string }
  assert.equal(workflow.jobs.shop.steps.at(-1)?.run, `npx turnleaf@${version} sync shop`)
  assert.equal(job.kind, 'CronJob')
  parseSchedule({ cron: job.spec.schedule })
  assert.deepEqual(job.spec.jobTemplate.spec.template.spec.containers[0].args, ['sync', 'shop'])
  const line =
    blocks('cron')[0]
      ?.split('\n')
      .find((one) => /^[\d*]/.test(one)) ?? ''
  parseSchedule({ cron: line.split(' ').slice(0, 5).join(' ') })
  for (const code of blocks('python')) {
    const parsed = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code })
    if (parsed.error === undefined) assert.equal(parsed.status, 0, parsed.stderr.toString())
  }
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-units-'))
  try {
    const [service = '', timer = ''] = blocks('ini')
    await writeFile(join(folder, 'turnleaf-shop.service'), service)
    await writeFile(join(folder, 'turnleaf-shop.timer'), timer)
    const verified = spawnSync('systemd-analyze', ['verify', join(folder, 'turnleaf-shop.timer')], { encoding: 'utf8' })
    // Of other units of the machine it may complain, too.
    if (verified.error === undefined) assert.doesNotMatch(verified.stderr, /turnleaf-shop/)
    assert.match(service, /^ExecStart=.* turnleaf sync shop$/m)
  } finally {
    await rm(folder, { recursive: true })
  }
})
