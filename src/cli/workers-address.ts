/** `--on`, or TURNLEAF_ON → the database of the workers. */
import { ConnectorError } from '../std/errors.ts'

/** Passwords belong in the environment: other users of the machine can see the arguments of a process. */
export function workersAddress(given: string | true | undefined): string {
  const address = typeof given === 'string' ? given : process.env.TURNLEAF_ON
  if (address !== undefined && address !== '') return address
  throw new ConnectorError('cli/arguments', 'No database of workers is given.', {
    hint: 'Add --on postgres://USER@HOST/DATABASE, or set TURNLEAF_ON.',
  })
}
