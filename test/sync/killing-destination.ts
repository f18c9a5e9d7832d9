/** A program that syncs, or publishes, and kills itself with SIGKILL right before or right after a commit. */
import { type Destination, destinationAt, loadManifest, type OpenDestination, publish, sync } from 'turnleaf'

export type KillTask = {
  readonly address: string
  readonly schema?: string
  /** What to sync; published is what is held otherwise. */
  readonly manifest?: object
  /** Counted from 1. */
  readonly kill: { readonly commit: number; readonly when: 'before' | 'after' }
}

function killing(inner: Destination, { commit: number, when }: KillTask['kill']): Destination {
  let commits = 0
  const die = async (): Promise<void> => {
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  }
  const open = async (connection: string): Promise<OpenDestination> => {
    const opened = await inner.open(connection)
    return {
      ...opened,
      async commit(commit) {
        const isIt = ++commits === number
        if (isIt && when === 'before') await die()
        await opened.commit(commit)
        if (isIt) await die()
      },
    }
  }
  return { ...inner, open }
}

const { address, schema, manifest, kill } = JSON.parse(process.argv[2] ?? '') as KillTask
const to = killing(destinationAt(address, { schema }), kill)
if (manifest === undefined) await publish('items', { to })
else process.stdout.write((await sync(loadManifest(manifest), { to })).ending)
