/** The connector's spec → inputs without which nothing can be read, and the names of its secrets. */
import { useMemo } from 'react'
import { useInputs } from '../../session/inputs.ts'
import { useInspection } from '../../session/use-inspection.ts'
import { useSession } from '../../session/use-session.tsx'
import { type NeededInput, neededInputs, secretNames } from './needed-inputs.ts'

export function useNeededInputs(): readonly NeededInput[] {
  const name = useSession((session) => session.name)
  const inputs = useInputs(name)
  const spec = useInspection()?.spec ?? null
  return useMemo(() => neededInputs(spec, inputs), [spec, inputs])
}

export function useSecretNames(): readonly string[] {
  const spec = useInspection()?.spec ?? null
  return useMemo(() => secretNames(spec), [spec])
}
