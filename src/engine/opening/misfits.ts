/** Values that no cast could make fit their schema → one warning per field, however many there are. */
import type { Misfit } from '../records/coerce.ts'
import { typeName } from '../records/value-types.ts'
import type { Notice } from '../response/notice.ts'

/** An API that names fields at will must not fill the log: what comes after this many is not told. */
const maxFields = 100

export function misfitReporter(report: (notice: Notice) => void): (misfit: Misfit) => void {
  const told = new Set<string>()
  return ({ field, wanted, value }) => {
    if (told.has(field) || told.size >= maxFields) return
    told.add(field)
    const types = wanted.join(' or ')
    report({
      kind: 'warning',
      text: `\`${field}\` should be ${types} and cannot be made so: values of the type ${typeName(value)} stay as they are.`,
    })
  }
}
