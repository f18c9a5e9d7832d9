/** "2 problems" in the header: a menu that leads to each. */
import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react'
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { Icon } from '../icons.tsx'
import { ProblemText } from './problem-text.tsx'
import { problemCount, problemPosition } from './problem-list.tsx'
import './problems-menu.css'
import { pathOf } from '../../document/value-path.ts'
import { useStreams } from '../editor/use-streams.ts'
import { useRoute } from '../router.ts'
import { placeWords, streamAt } from './place-words.ts'
import { showInForm, showInYaml } from './yaml-target.ts'
import { useManifestProblems } from './use-manifest-problems.ts'

/** The rest is in the list under the text. */
const mostShown = 50

export function ProblemsMenu() {
  const problems = useManifestProblems()
  const worst = worstOf(problems)
  const { view } = useRoute()
  const streams = useStreams()

  /** The form has the fields of streams; all else is in the text. */
  function go(problem: ManifestProblem): void {
    const path = pathOf(problem.at.pointer)
    const stream = streamAt(path, streams)
    if (view === 'yaml' || stream === undefined) showInYaml(problemPosition(problem))
    else showInForm(path, stream.name)
  }
  function placeOf({ at: { pointer } }: ManifestProblem): { readonly place?: string } {
    const place = view === 'yaml' ? '' : placeWords(pathOf(pointer), streams)
    return place === '' ? {} : { place }
  }
  return (
    <div className="problems-menu">
      <span className="hidden" role="status">
        {problemCount(problems.length)}
      </span>
      <MenuProvider placement="bottom-start">
        {problems.length > 0 && (
          <MenuButton className="button quiet" data-severity={worst}>
            <Icon name="warning" />
            {problemCount(problems.length)}
          </MenuButton>
        )}
        <Menu fixed fitViewport gutter={4} className="problems-menu-list" unmountOnHide aria-label="Problems">
          {problems.slice(0, mostShown).map((problem) => (
            <MenuItem
              key={`${problem.at.pointer} ${problem.at.line} ${problem.message}`}
              className="item"
              onClick={() => go(problem)}
            >
              <ProblemText problem={problem} {...placeOf(problem)} />
            </MenuItem>
          ))}
        </Menu>
      </MenuProvider>
    </div>
  )
}

function worstOf(problems: readonly ManifestProblem[]): ManifestProblem['severity'] | undefined {
  return (['error', 'warning', 'note'] as const).find((one) => problems.some(({ severity }) => severity === one))
}
