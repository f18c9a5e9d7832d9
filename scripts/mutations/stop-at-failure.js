/** A reporter that ends the process at the first test that fails. */
import { Writable } from 'node:stream'

export default new Writable({
  objectMode: true,
  write({ type, data }, _encoding, done) {
    if (type !== 'test:fail' || data.skip !== undefined || data.todo !== undefined) return done()
    process.send({ failed: data.name }, () => process.exit(1))
  },
})
