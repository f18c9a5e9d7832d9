/** What the server finds in the manifest, requested once for all fields on screen. */
import type { ReactNode } from 'react'
import { InspectionContext, useAskedInspection } from './use-inspection.ts'

export function InspectionProvider({ children }: { children: ReactNode }) {
  return <InspectionContext value={useAskedInspection(null)}>{children}</InspectionContext>
}
