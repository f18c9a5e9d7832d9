/** A fault that a manifest does not survive → the change of the manifest that diagnosis finds for it, tried out. */
import { ConnectorError } from '../../std/errors.ts'
import { diagnose } from '../../proof/diagnosis/diagnose.ts'
import { movingClock } from '../mirror/calendar.ts'
import { answerOf } from '../mirror/endpoint.ts'
import type { Reading } from './read-walk.ts'

/** Enough for the walk to come to the fault, and for a change or two to be tried. */
const limits = { maxPages: 8, maxProbes: 12 }

/** In words, `Set page_size to 50.`; null where no change helps. */
export async function mendOf(text: string, reading: Reading): Promise<string | null> {
  const { server, manifest, config, stream, endpoints, signal } = reading
  const network = server.network((asked) => answerOf(endpoints, asked))
  try {
    const at = { folder: manifest.folder, config, stream, signal, network }
    const { findings } = await diagnose(text, { ...at, ...limits, ...movingClock() })
    return findings.find(({ fix }) => fix?.retest?.isMended === true)?.fix?.says ?? null
  } catch (error) {
    // What cannot be diagnosed cannot be mended; whoever cancels wants to know.
    if (signal.aborted || !(error instanceof ConnectorError)) throw error
    return null
  } finally {
    await network.close()
  }
}
