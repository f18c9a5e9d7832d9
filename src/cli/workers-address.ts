/** `--on`, or TURNLEAF_ON → the database of the workers. */
import { ConnectorError } from '../std/errors.ts'
import { fillAddress } from './fill-variables.ts'

/** Passwords belong in the environment: other users of the machine can see the arguments of a process. */
export function workersAddress(given: string | true | undefined): string {
  const [written = '', owner] = typeof given === 'string' ? [given, '--on'] : [process.env.TURNLEAF_ON, 'TURNLEAF_ON']
  const address = fillAddress(written, owner)
  if (address !== '') {
    if (/^postgres(?:ql)?:\/\//.test(address)) return address
    // Not the whole of it: it may hold a password.
    const [, scheme] = /^([a-z\d]+):/i.exec(address) ?? []
    throw new ConnectorError(
      'cli/arguments',
      `Workers share a Postgres database${scheme === undefined ? '' : `, and ${scheme}: is none`}.`,
      { hint: 'Write --on postgres://USER@HOST/DATABASE, or set TURNLEAF_ON to it.' },
    )
  }
  throw new ConnectorError('cli/arguments', 'No database of workers is given.', {
    hint: 'Add --on postgres://USER@HOST/DATABASE, or set TURNLEAF_ON.',
  })
}
