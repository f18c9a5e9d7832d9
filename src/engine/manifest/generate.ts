/** A stream template with its values filled in → a stream, settled and checked like one that the author wrote. */
import { ConnectorError, type Problem } from '../../std/errors.ts'
import { checkComponents } from './check-components.ts'
import { keepPlaces } from './keep-places.ts'
import type { Component, Generated } from './manifest.ts'
import { type Precedence, settleComponents } from './parameters.ts'
import type { Places } from './places.ts'
import { problem } from './problem.ts'
import { withTexts } from './texts.ts'
import { upgradeSpellings } from './upgrade.ts'

/** Places of its problems are those of the template. Never throws for what was filled in. */
export function generateStream(
  filled: Component,
  template: Component,
  places: Places,
  precedence: Precedence,
): Generated {
  try {
    // Airbyte: the name alone must come out as text by itself.
    const typed = { ...withTexts(filled, template), name: filled.name }
    const settled = settleComponents(keepPlaces(typed, template, places), places, precedence)
    const { root, notes } = upgradeSpellings(settled.root, places)
    const checked = checkComponents(root, places, ['DeclarativeStream', 'StateDelegatingStream'])
    return outcome(root as Component, [...settled.problems, ...notes, ...checked])
  } catch (error) {
    if (error instanceof RangeError) return tooLarge('A stream made from the template nests too deeply.')
    if (!(error instanceof ConnectorError)) throw error
    return tooLarge(error.message)
  }

  function outcome(stream: Component, problems: Problem[]): Generated {
    return { stream: problems.some(({ severity }) => severity === 'error') ? null : stream, problems }
  }
  function tooLarge(message: string): Generated {
    return { stream: null, problems: [problem('manifest/too-large', 'error', message, places.at(template))] }
  }
}
