/** `${NAME}` in an argument → the environment variable, so that a secret is not in the list of processes. */
import { valueInAddress } from '../destinations/value-in-address.ts'
import { ConnectorError } from '../std/errors.ts'

/** Value by name, of the environment variables that the arguments refer to. */
export type UsedVariables = Map<string, string>

/** @param owner what needs the variable, as an error names it. */
export function fillVariables(text: string, owner: string, variables: UsedVariables = new Map()): string {
  return fill(text, owner, (value, variable) => {
    variables.set(variable, value)
    return value
  })
}

/** The same for the address of a database: a password needs no percent-encoding in its variable. */
export function fillAddress(text: string, owner: string): string {
  return fill(text, owner, (value, _, offset) => valueInAddress(text, offset, value))
}

function fill(text: string, owner: string, use: (value: string, variable: string, offset: number) => string): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string, offset: number) => {
    const value = process.env[variable]
    if (value === undefined || value === '') {
      const message = `${owner} needs ${variable}, which is not set in the environment.`
      throw new ConnectorError('cli/arguments', message, { hint: `export ${variable}=…` })
    }
    return use(value, variable, offset)
  })
}
