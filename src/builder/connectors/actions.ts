/** What can be done with a connector as a whole, each of them with the way back. */
import { AskError } from '../api/ask.ts'
import {
  createConnector,
  deleteConnector,
  listConnectors,
  openConnector,
  renameSaved,
  restoreConnector,
} from '../api/connectors.ts'
import { askAgain, queries } from '../api/queries.ts'
import { showNotice } from '../notice/notices.ts'
import { goTo } from '../router.ts'
import { inputsOf, setInputs } from '../session/inputs.ts'
import { carryOver } from './carry-over.ts'
import { freeName } from './connector-names.ts'

export function refreshList(): void {
  void askAgain(['connectors'])
}

/** Creates it, under the next free name where there is one of that name already, and opens it. */
export async function createAndOpen(
  wished: string,
  text: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const name = await createFree(wished, text)
  if (Object.keys(values).length > 0) setInputs(name, values)
  goTo({ connector: name, part: null, view: 'form' })
}

async function createFree(wished: string, text: string): Promise<string> {
  const { connectors } = await listConnectors()
  const name = freeName(
    wished,
    connectors.map((one) => one.name),
  )
  await createConnector({ name, text })
  refreshList()
  return name
}

/** @param text where it is not the one on disk. */
export async function duplicate(name: string, text?: string): Promise<void> {
  await orNotify(async () => {
    const copy = await createFree(`${name}-copy`.slice(0, 63), text ?? (await openConnector(name)).text)
    setInputs(copy, inputsOf(name))
    const open = { label: 'Open it', run: () => goTo({ connector: copy, part: null }) }
    showNotice({ text: `${copy} is a copy of ${name}.`, action: open })
  })
}

/** The server moves the folder to its trash, and back. */
export async function remove(name: string): Promise<boolean> {
  return orNotify(async () => {
    await deleteConnector(name)
    queries.removeQueries({ queryKey: ['connector', name] })
    refreshList()
    const undo = {
      label: 'Undo',
      run: () =>
        void orNotify(async () => {
          await restoreConnector(name)
          refreshList()
        }),
    }
    showNotice({ text: `Deleted ${name}.`, action: undo })
  })
}

/** Its test configs follow. @returns why not; null where it was renamed. */
export async function rename(name: string, to: string): Promise<string | null> {
  try {
    await renameSaved(name, to)
    carryOver(name, to)
    queries.removeQueries({ queryKey: ['connector', name] })
    refreshList()
    return null
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    return `${error.message} ${error.problem?.hint ?? ''}`.trim()
  }
}

/** Does it, or shows why not. @returns whether it was done. */
async function orNotify(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!(error instanceof AskError)) throw error
    showNotice({ text: `${error.message} ${error.problem?.hint ?? ''}`.trim() })
    return false
  }
}
