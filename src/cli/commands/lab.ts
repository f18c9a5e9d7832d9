/** `turnleaf lab` */
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { dialects } from '../../lab/dialects.ts'
import { faultPath, faults } from '../../lab/faults.ts'
import { type Lab, startLab } from '../../lab/lab.ts'
import { interrupted, listenForInterrupt, serverExitCode } from '../interrupt.ts'
import { portFromEnvironment } from '../open-port.ts'
import { columnFor, colours, row, say } from '../terminal/print.ts'
import type { SurveyCommandOptions } from './survey.ts'

export type LabCommandOptions = { readonly port?: number; readonly size?: number }

type SurveyChoice = SurveyCommandOptions & { readonly survey?: string }

/** Expected by `connectors/lab/manifest.yaml`. */
export const usualPort = 8082

/** How many ports to try once the usual one is taken. */
const nextPorts = 20

export async function runLab({ survey, ...given }: LabCommandOptions & SurveyChoice): Promise<number> {
  if (survey !== undefined) return (await import('./survey.ts')).runSurvey(survey, given)
  const stray = (['config', 'stream', 'fault', 'json'] as const).find((name) => given[name] !== undefined)
  if (stray !== undefined) {
    throw new ConnectorError('cli/arguments', `--${stray} needs --survey.`, {
      hint: 'Add --survey with the path of a manifest.',
    })
  }
  const interrupt = listenForInterrupt()
  await using lab = await openLab(given)
  say(`The lab listens at ${colours.bold(lab.url)}. Ctrl-C stops it.\n`)
  listDialects()
  listFaults()
  process.stdout.write(`${lab.url}\n`)
  await interrupted(interrupt.signal)
  return serverExitCode(interrupt)
}

/** A port that was given is used or fails; otherwise the first free one from the usual port on. */
export async function openLab({ port, size }: LabCommandOptions): Promise<Lab> {
  const asked = port ?? portFromEnvironment('TURNLEAF_LAB_PORT')
  const options = size === undefined ? {} : { size }
  if (asked !== undefined) return startLab({ ...options, port: asked })
  for (let tried = usualPort; ; tried++) {
    try {
      const lab = await startLab({ ...options, port: tried })
      if (tried > usualPort) say(`Port ${usualPort} is taken; the lab uses ${tried}.`)
      return lab
    } catch (error) {
      const isTaken = hasCode(error, 'lab/port-taken')
      if (!isTaken || tried >= usualPort + nextPorts) throw error
    }
  }
}

function listDialects(): void {
  const columns = [
    { width: 5 },
    columnFor(dialects.map(({ path }) => path)),
    columnFor(dialects.map(({ kind }) => kind)),
  ]
  for (const { method, path, kind, parameters } of dialects) {
    say(row(columns, [method, path, kind, parameters.join(', ')]))
  }
}

function listFaults(): void {
  say('\nTo get a fault, put it before the path of a dialect.\n')
  const columns = [columnFor(faults.map(faultPath))]
  for (const fault of faults) say(row(columns, [faultPath(fault), fault.says.replaceAll('`', '')]))
}
