/** A disk that is really full, until there is room. Needs the right to mount one: root, in a separate namespace. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { someOf } from '../helpers/proof.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { assertSame } from './assert-same.ts'
import { mayMount } from './may-mount.ts'
import { placeKinds } from './places/every.ts'
import { tempFolder } from './places/place.ts'
import { program } from './run-process.ts'
import { runTask, taskFor } from './task.ts'
import { worldOf } from './world.ts'

/** A small disk in place of the folder; what is on it in the end is copied to the folder, which outlives the namespace. */
const script = `
  folder=$1; copy=$2; size=$3; shift 3
  mount -t tmpfs -o "size=$size" none "$folder"
  "$@" >/dev/null && echo 'there was room enough' >&2
  mount -o remount,size=64m "$folder"
  "$@" >/dev/null || exit 1
  cp -r "$folder/." "$copy"
  umount "$folder"
  cp -r "$copy/." "$folder"`

for (const kind of someOf(placeKinds.filter(({ diskSize }) => diskSize !== undefined))) {
  test(`${kind.name}: a full disk is reported, and once there is room the sync resumes`, {
    skip: !mayMount,
  }, async () => {
    await using api = await serveApi(worldOf(() => 1))
    await using copy = await tempFolder()
    await using reference = await kind.make()
    await using place = await kind.make()
    await runTask(taskFor(api.url, reference.address))
    const path = place.address.replace(/^\w+:/, '')
    const folder = kind.name === 'DuckDB' ? dirname(path) : path
    const syncing = [process.execPath, program, JSON.stringify(taskFor(api.url, place.address))]
    const command = ['-m', 'sh', '-c', script, 'sh', folder, copy.path, kind.diskSize ?? '', ...syncing]
    const { stderr } = await promisify(execFile)('unshare', command)
    const { code, message } = JSON.parse(stderr) as { code: string; message: string }
    assert.equal(code, 'destinations/write-refused')
    assert.ok(message.includes(path), message)
    assert.match(message, /disk is full|No space left/i)
    await assertSame(place, reference)
  })
}
