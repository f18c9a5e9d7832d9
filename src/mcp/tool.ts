/** One tool of the MCP server: what it takes, what it returns, what it may do. The same schemas check and describe it. */
import type { z } from 'zod'
import type { Services } from '../server/services.ts'
import type { WrapNetwork } from '../server/wrap-network.ts'
import type { Workspace } from '../server/workspace.ts'
import type { Diagnoses } from './diagnoses.ts'
import type { DocsIndex } from './docs-index.ts'
import type { BoundSecret } from '../server/secrets/secret-network.ts'

/** What all tools of one server work with. */
export type McpContext = {
  readonly services: Pick<Services, 'home' | 'egress' | 'syncs'>
  readonly workspace: Workspace
  readonly secrets: readonly BoundSecret[]
  /** Puts the values of secrets into requests. */
  readonly wrapNetwork: WrapNetwork
  readonly diagnoses: Diagnoses
  /** The documentation of the package, read on the first search. */
  readonly docs: () => Promise<DocsIndex>
}

/** One call of a tool. */
export type ToolCall = {
  /** Aborts when the client cancels the call or leaves. */
  readonly signal: AbortSignal
  /** Reports progress to a client that asked for it. */
  readonly report: (says: string) => void
}

export type ToolResult<Value> = {
  /** A sentence or two, without anything that an API sent. */
  readonly says: string
  readonly value: Value
}

type Described = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Changes nothing. */
  readonly isReadOnly: boolean
  /** May replace or delete something that cannot be restored by another call. */
  readonly isDestructive?: boolean
  /** Sends requests to an API. */
  readonly isOpenWorld?: boolean
}

export type Tool = Described & {
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly run: (input: unknown, context: McpContext, call: ToolCall) => Promise<ToolResult<unknown>>
}

/** @example tool({ name: 'list_tables', …, run: async (_, { workspace }, { signal }) => ({ says: '…', value: … }) }) */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  given: Described & {
    readonly input: Input
    readonly output: Output
    readonly run: (input: z.output<Input>, context: McpContext, call: ToolCall) => Promise<ToolResult<z.input<Output>>>
  },
): Tool {
  return { ...given, run: (input, context, call) => given.run(input as z.output<Input>, context, call) }
}
