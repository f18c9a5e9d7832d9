/** What the server finds in the manifest, asked for once for all who show something of it: every field on screen does. */
import type { ReactNode } from 'react'
import { InspectionContext, useAskedInspection } from './use-inspection.ts'

export function InspectionProvider({ children }: { children: ReactNode }) {
  return <InspectionContext value={useAskedInspection(null)}>{children}</InspectionContext>
}
