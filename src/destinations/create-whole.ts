/** A file made with all that is in it, or not at all: for files that say who was first. */
import { randomUUID } from 'node:crypto'
import { link, open, rm, writeFile } from 'node:fs/promises'
import { errorCode } from '../std/disk/trouble.ts'

/** False when there is a file of that name: it is left alone. */
export async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, text, { flag: 'wx' })
  try {
    // A second name for a whole file: the system gives it to one of all who ask.
    await link(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    return await createInPlace(path, text)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Where files cannot have two names (FAT, some network drives): a crash may leave an empty file there. */
async function createInPlace(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(text).finally(() => file.close())
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
