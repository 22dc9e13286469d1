import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Runs } from '../runs/runs.ts'
import type { Grant } from '../tokens/tokens.ts'
import type { VariablesService } from '../variables/variables.ts'

/** What the operations of agents' calls work with. */
export interface McpDeps {
  db: Database
  log: Log
  ctx: Context
  chainRuns: Runs['chainRuns']
  findRun: Runs['find']
  variables: Pick<VariablesService, 'describe' | 'resolve'>
}

/** One call of a client. */
export interface McpCall {
  /** The value that it showed. */
  token: string
  grant: Grant
  /** Name and version, as the client says; may be empty. */
  client: string
  /** Aborts when the client leaves. */
  signal: AbortSignal
}
