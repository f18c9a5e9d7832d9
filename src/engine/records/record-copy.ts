/** A record that is copied before its first change, and changed in place from then on: a copy for each change costs more than the rest of a transformation. */
import { setMember } from '../../std/values/set-member.ts'
import type { JsonRecord } from '../plan/plan.ts'

export class RecordCopy {
  #record: JsonRecord
  #isCopy = false

  constructor(record: JsonRecord) {
    this.#record = record
  }

  /** As it is now. Its objects and lists may be those of the response: they are replaced, never changed. */
  get record(): JsonRecord {
    return this.#record
  }

  set(name: string, value: unknown): void {
    setMember(this.#own(), name, value)
  }

  remove(name: string): void {
    if (this.#isCopy) delete this.#record[name]
    else {
      const { [name]: _, ...others } = this.#record
      this.#record = others
      this.#isCopy = true
    }
  }

  replace(record: JsonRecord): void {
    if (record === this.#record) return
    this.#record = record
    this.#isCopy = false
  }

  #own(): JsonRecord {
    if (!this.#isCopy) {
      this.#record = copyOf(this.#record)
      this.#isCopy = true
    }
    return this.#record
  }
}

/** Not `{ ...record }`: to what that makes of a wide record, V8 adds members slowly. */
function copyOf(record: JsonRecord): JsonRecord {
  // Assigning a member of this name would set the prototype.
  return Object.hasOwn(record, '__proto__') ? { ...record } : Object.assign({}, record)
}
