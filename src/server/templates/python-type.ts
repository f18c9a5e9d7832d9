/** A value of a template → what `type(…).__name__` says of it. */
import { kindOf, typeName } from '../../engine/template/values/value.ts'

export function pythonType(value: unknown): string {
  switch (kindOf(value)) {
    case 'none':
      return 'NoneType'
    case 'mapping':
      return 'dict'
    default:
      return typeName(value)
  }
}
