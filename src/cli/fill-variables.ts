/** `${NAME}` in an argument → the environment variable, so that a secret is not in the list of processes. */
import { ConnectorError } from '../std/errors.ts'

/** Value by name, of the environment variables that the arguments refer to. */
export type UsedVariables = Map<string, string>

/** @param owner what needs the variable, as an error names it. */
export function fillVariables(text: string, owner: string, variables: UsedVariables = new Map()): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
    const value = process.env[variable]
    if (value === undefined || value === '') {
      const message = `${owner} needs ${variable}, which is not set in the environment.`
      throw new ConnectorError('cli/arguments', message, { hint: `export ${variable}=…` })
    }
    variables.set(variable, value)
    return value
  })
}
