/** `turnleaf worker`, `turnleaf jobs` and `turnleaf mcp`: commands and their options. */
import { type Command, Option } from 'commander'
import { type AddCommand, inOrder, onOption, portNumber, positiveNumber, type Runs, zeroOrMore } from './arguments.ts'

export function addWorkerCommands(program: Command, add: AddCommand, runs: Runs): void {
  add(
    program,
    'worker',
    'Run the syncs that are submitted to a Postgres database. Start it on as many machines as you like.',
    'worker --on postgres://turnleaf@db.example.com/turnleaf',
    'worker --syncs 8 --port 9090',
  )
    .addOption(onOption())
    .option('--syncs <n>', 'how many syncs to run at once (default: 4)', positiveNumber)
    .option(
      '--parts <n>',
      'how many parts of large streams to read at once, for syncs of any worker; 0 for none (default: 4)',
      zeroOrMore,
    )
    .option('--part-size <n>', 'how many slices a part has (default: 100)', positiveNumber)
    .option(
      '--split-from <n>',
      'split streams that have at least this many slices to read (default: 200)',
      positiveNumber,
    )
    .option('--port <n>', 'serve /health and /metrics on this port (default: none)', portNumber)
    .option('--host <address>', 'the address on which they are served (default: 127.0.0.1)')
    .option('--name <name>', 'the name of the worker in lists and logs (default: host name and process id)')
    .action(runs(async () => (await import('./commands/worker.ts')).runWorker))
  const jobs = add(
    program,
    'jobs',
    'List the syncs that run, wait and ended on the workers.',
    'jobs --on postgres://turnleaf@db.example.com/turnleaf',
    'jobs cancel 8f7e0c1a-2b6d-4c62-9c39-0f5b8f2a7f11',
  )
  const load = () => import('./commands/jobs.ts')
  add(jobs, 'list', 'List the jobs; the same as `turnleaf jobs`.', 'jobs list --json')
    .addOption(onOption())
    .option('--limit <n>', 'how many jobs to list (default: 50)', positiveNumber)
    .option('--json', 'print one JSON object per line')
    .action(runs(async () => (await load()).runJobs))
  add(jobs, 'cancel', 'Cancel a job. What it has read is kept; the next sync resumes.', 'jobs cancel ID')
    .argument('<id>', 'the id of the job')
    .addOption(onOption())
    .action(runs(async () => (await load()).runJobsCancel))
  jobs
    .addOption(onOption())
    .option('--limit <n>', 'how many jobs to list (default: 50)', positiveNumber)
    .option('--json', 'print one JSON object per line')
    .action(runs(async () => (await load()).runJobs))
}

export function addMcpCommand(program: Command, add: AddCommand, runs: Runs): void {
  add(
    program,
    'mcp',
    'Let an MCP client build, test, diagnose and sync connectors, over standard input and output.',
    'mcp',
    'mcp --secret SHOP_TOKEN=https://api.shop.example',
  )
    .option(
      '--secret <name=origin>',
      'an environment variable that clients may use as ${NAME}, without seeing it, and the origins it may be sent to; repeatable',
      inOrder,
    )
    .action(runs(async () => (await import('./commands/mcp.ts')).runMcp))
}

/** Of `turnleaf sync`. */
export const detachOption = () =>
  new Option('--detach', 'with --on: submit the sync and leave; `turnleaf jobs` shows how far it is')
