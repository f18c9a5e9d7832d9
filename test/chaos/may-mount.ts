/** Whether a disk can be mounted: by root, in a namespace of its own. */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'

export const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0
