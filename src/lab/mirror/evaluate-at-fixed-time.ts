/** Evaluates templates as the engine does, to predict what it makes of a response. */
import { compileTemplate, type EvaluateAs, nowKey } from '../../engine/template/template.ts'
import { pythonText } from '../../engine/template/text.ts'
import { now } from './calendar.ts'

export function evaluateAtFixedTime(template: string, scope: Record<string, unknown>, as?: EvaluateAs): unknown {
  return compileTemplate(template).evaluate({ ...scope, [nowKey]: () => now }, as)
}

/** The text itself where it cannot be evaluated yet. */
export function textOr(template: unknown, scope: Record<string, unknown>): string {
  try {
    return pythonText(evaluateAtFixedTime(String(template), scope))
  } catch {
    return String(template)
  }
}
