/** The stream that the test panel is about: its pages are what templates and pickers of the form use, too. */
import { createContext, useContext } from 'react'

export const TestedStream = createContext<string | null>(null)

export function useTestedStream(): string | null {
  return useContext(TestedStream)
}
