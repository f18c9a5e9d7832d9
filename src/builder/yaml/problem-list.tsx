/** Every problem in one list; each leads to its line. That there are more or fewer, the header says aloud. */
import type { ManifestProblem } from '../../server/wire/problem.ts'
import { ProblemText } from './problem-text.tsx'
import { showInYaml } from './yaml-target.ts'

/** Enough to read; fixing the first ones brings up the rest. */
const mostListed = 200

export function ProblemList({ problems }: { problems: readonly ManifestProblem[] }) {
  return (
    <div className="problem-list">
      <p className="count">{problemCount(problems.length)}</p>
      {problems.length > 0 && (
        <ul aria-label="Problems">
          {problems.slice(0, mostListed).map((problem) => (
            <li key={`${problem.at.pointer} ${problem.at.line} ${problem.message}`}>
              <button type="button" onClick={() => showInYaml(problemPosition(problem))}>
                <ProblemText problem={problem} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function problemPosition({ at: { line = 1, column = 1 } }: ManifestProblem) {
  return { line, column }
}

export function problemCount(count: number): string {
  if (count === 0) return 'No problems'
  return count === 1 ? '1 problem' : `${count} problems`
}
