/** What the tab is called. */
import { useEffect } from 'react'

export function useTitle(...parts: (string | null)[]): void {
  const title = [...parts, 'Turnleaf'].filter((part) => part !== null).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
