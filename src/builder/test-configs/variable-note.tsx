/** Under a value that refers to environment variables: what is wrong with them, or where they may be sent. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FoundVariables } from '../../server/wire/test-config.ts'
import { stringifyJson } from '../../std/json.ts'
import { allowVariable, findVariables } from '../api/test-configs.ts'
import { Worded } from '../fields/inline-code.tsx'
import { useRested } from '../use-debounced.ts'
import { useDoing } from './use-doing.ts'
import { sendingRule, useLikelyOrigin } from './use-origins.ts'
import { useStoreStatus } from './use-store.ts'

const restMs = 250

export function VariableNote({ value }: { readonly value: unknown }) {
  // A reference to a stored secret has a colon after its first word.
  const isReferring = /\$\{[A-Za-z_]\w*\}/.test(stringifyJson(value ?? null))
  return isReferring ? <Notes value={value} /> : null
}

function Notes({ value }: { readonly value: unknown }) {
  const rested = useRested(value, restMs)
  const { data } = useQuery({
    queryKey: ['variables', rested],
    queryFn: ({ signal }) => findVariables({ value: rested }, signal),
    gcTime: 10_000,
  })
  return data?.variables.map((variable) => <Note key={variable.name} variable={variable} />)
}

type Variable = FoundVariables['variables'][number]

function Note({ variable: { name, origins, problem } }: { readonly variable: Variable }) {
  const likely = useLikelyOrigin()
  const mayAllow = useStoreStatus()?.mayAllow === true
  const queries = useQueryClient()
  const { isBusy, fault, run } = useDoing()
  if (problem !== null) {
    return (
      <p className="value-fault" role="alert">
        <Worded text={problem} />
      </p>
    )
  }
  async function allow(origin: string): Promise<void> {
    await allowVariable(name, [origin])
    await queries.invalidateQueries({ queryKey: ['variables'] })
  }
  const isMissing = likely !== null && !origins.includes(likely)
  return (
    <p className="value-note" role="status">
      <code>{`\${${name}}`}</code>
      {` may be sent to ${origins.length === 0 ? 'no address yet' : `${origins.join(', ')} only`}. ${sendingRule}`}
      {isMissing && mayAllow && (
        <>
          {' '}
          <button
            type="button"
            className="button small"
            disabled={isBusy}
            onClick={() => void run(() => allow(likely))}
          >
            Allow {likely}
          </button>
        </>
      )}
      {fault}
    </p>
  )
}
