/** The cursor is read at a place that no page has, and a very similar name exists. */
import type { Hypothesis } from '../case.ts'
import { type Cause, seen, withoutFix } from '../cause.ts'
import { set } from '../manifest-place.ts'
import { misspeltCursor } from '../missing-paths.ts'
import { continues, tryInOrder } from '../trial.ts'

export const misspelt: Cause = async (subject, tools) => {
  const { pages, pagination, place, receipt, read } = subject
  const [first, ...others] = pages
  if (pagination.kind !== 'cursor' || first === undefined || others.length > 0 || first.received === 0) return null
  const isUnread = read.error !== null && read.error.code.startsWith('template/') && first.stop === 'error'
  if (receipt?.stop !== 'no-cursor' && !isUnread) return null
  const meant = misspeltCursor(pagination, first, read.rules.recordPath)
  if (meant === null) return null
  const source = pagination.value.source.trim()
  const says = `The cursor \`${source}\` reads \`${meant.wrong}\`, which the response does not have. Did you mean \`${meant.right}\`?`
  const evidence = [seen(`Page 1 has ${meant.at}, and no \`${meant.wrong}\`.`, first)]
  const hypotheses: Hypothesis[] =
    place === null
      ? []
      : [
          {
            code: 'missing/wrong-cursor',
            why: `whether ${meant.at} leads to the next page`,
            says,
            evidence,
            fix: {
              says: `Read the cursor at ${meant.at}: \`${meant.template.trim()}\`.`,
              edits: set(place.strategy, { cursor_value: meant.template }),
            },
            shortRead: 2,
            isShownBy: (after) => continues(subject, after),
          },
        ]
  const found = await tryInOrder(subject, hypotheses, tools)
  if (found !== null || !isUnread) return found
  const advice = `${subject.whyNot} Write \`${meant.right}\` where the cursor reads \`${meant.wrong}\`.`.trim()
  return withoutFix({ code: 'missing/wrong-cursor', fault: 'manifest', says, evidence, advice })
}
