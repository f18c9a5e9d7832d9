/** The address of a git repository → a checkout of the manifests in it, kept for the next time. */
import { execFile } from 'node:child_process'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import { reasonOf } from '../connector/open-connector.ts'
import { errorCode } from '../std/disk/disk-error.ts'
import { ConnectorError } from '../std/errors.ts'
import { isObject } from '../std/values/objects.ts'
import { makeFolder } from '../std/disk/make-folder.ts'

export type CheckoutOptions = {
  /** TURNLEAF_HOME. */
  readonly home: string
  /** Fetch it again. */
  readonly isFresh?: boolean
  readonly signal?: AbortSignal
  readonly say?: (text: string) => void
}

/** Only these files are fetched: the repository of public connectors has gigabytes of others. */
const wanted = ['manifest.yaml', 'metadata.yaml', '/LICENSE*', '/*/LICENSE*']
const limitMs = 15 * 60_000

export function isRepository(from: string): boolean {
  return /^(?:https?|ssh|git|file):\/\/|^git@/.test(from)
}

export async function checkOut(url: string, options: CheckoutOptions): Promise<string> {
  const { home, isFresh = false, say = () => {} } = options
  const folder = join(home, '.collections', withoutPasswords(url).replaceAll(/[^\w.-]+/g, '-'))
  const isThere = (await stat(folder).catch(() => null)) !== null
  if (isThere && !isFresh) return folder
  say(`${isThere ? 'Updating' : 'Fetching'} the manifests of ${withoutPasswords(url)} with git.`)
  if (isThere) {
    await git(['fetch', '--depth', '1', 'origin', 'HEAD'], folder, url, options)
    await git(['checkout', '--quiet', '--force', 'FETCH_HEAD'], folder, url, options)
    return folder
  }
  const draft = `${folder}.${process.pid}.draft`
  await makeFolder(dirname(folder))
  try {
    const clone = ['clone', '--quiet', '--depth', '1', '--filter=blob:none', '--no-checkout']
    await git([...clone, '--', url, draft], dirname(folder), url, options)
    await git(['sparse-checkout', 'set', '--no-cone', ...wanted], draft, url, options)
    await git(['checkout', '--quiet'], draft, url, options)
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

/** Fetches everything in a folder of the checkout: schemas are files next to a manifest. */
export async function fetchFolder(
  checkout: string,
  path: string,
  url: string,
  options: CheckoutOptions,
): Promise<void> {
  await git(['sparse-checkout', 'add', `/${path}/**`], checkout, url, options)
}

async function git(args: readonly string[], cwd: string, url: string, { signal }: CheckoutOptions): Promise<void> {
  try {
    // No question for a password: no one would see it. No protocol that runs a program.
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' }
    await promisify(execFile)('git', [...args], { cwd, env, signal, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 })
  } catch (cause) {
    if (signal?.aborted) throw cause
    if (errorCode(cause) === 'ENOENT') {
      throw new ConnectorError('collections/git', '`git` was not found.', {
        hint: 'Install git, or name a folder.',
        cause,
      })
    }
    throw new ConnectorError('collections/git', `${withoutPasswords(url)} cannot be fetched: ${lastLine(cause)}.`, {
      cause,
    })
  }
}

function lastLine(error: unknown): string {
  const written = isObject(error) && typeof error['stderr'] === 'string' ? error['stderr'] : ''
  const line = written.trim().split('\n').at(-1) ?? ''
  return withoutPasswords(line === '' ? reasonOf(error) : line).replace(/\.$/, '')
}
