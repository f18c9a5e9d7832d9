/**
 * A process that has the command line loaded, as it ships, and runs the commands that the tests send, one after the
 * other: with their arguments, environment and folder, on real pipes. Loading it again for each costs more than they do.
 */
import type { Command } from './warm-clis.ts'

const { run } = (await import(new URL('../../../dist/cli/run.js', import.meta.url).href)) as {
  run: (args: readonly string[]) => Promise<number>
}

process.on('disconnect', () => process.exit())
process.on('message', async ({ args, env, cwd, end }: Command) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  const code = await run(args)
  // Each command listens anew.
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name)
  process.stdout.write(end)
  process.stderr.write(end)
  process.send?.({ code })
})
