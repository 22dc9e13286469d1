import { and, eq, sql } from 'drizzle-orm'
import { type ToolCallState, toolCalls } from '../../../../../database/schema/index.ts'
import type { Executor } from '../../../../../database/statements/executor.ts'
import { violatedConstraint } from '../../../../../database/statements/violated-constraint.ts'
import type { Claim } from '../../step-ends.sql.ts'

/** Of a step that runs once. */
const ONCE = -1

export interface ToolCallPlace {
  position: number
  /** From 0; absent: the step runs once. */
  item?: number | undefined
}

export interface BegunCall {
  key: string
  /** It may have happened: it was sent before, or by the installation that this one is a copy of. */
  mayHaveHappened?: 'sent' | 'copied'
}

/** Written before the call goes out; undefined where another worker has the run by now. */
export async function beginToolCall(
  db: Executor,
  { executionId, attempt, position, item = ONCE }: Claim & ToolCallPlace,
): Promise<BegunCall | undefined> {
  const key = crypto.randomUUID()
  const stateOf = (of: number) => sql<ToolCallState | null>`(
    select known.state from tool_calls as known
    where known.execution_id = ${executionId}::integer and known.position = ${position}::integer and known.item = ${of}::integer
  )`
  try {
    const [row] = await db
      .insert(toolCalls)
      .values({
        executionId,
        attempt,
        position,
        item,
        key,
        state: sql`case ${stateOf(ONCE)} when 'copied' then 'copied' else 'sent' end`,
      })
      .onConflictDoUpdate({
        target: [toolCalls.executionId, toolCalls.position, toolCalls.item],
        set: { attempt, state: sql`case ${toolCalls.state} when 'copied' then 'copied' else 'sent' end` },
      })
      // As the statement found it.
      .returning({ key: toolCalls.key, state: toolCalls.state, before: stateOf(item) })
    if (row === undefined) return undefined
    if (row.state === 'copied') return { key: row.key, mayHaveHappened: 'copied' }
    return { key: row.key, ...(row.before === 'sent' && { mayHaveHappened: 'sent' }) }
  } catch (error) {
    if (violatedConstraint(error) === 'tool_calls_run') return undefined
    throw error
  }
}

/** The service said what became of it: a try that follows is another call. */
export async function endToolCall(
  db: Executor,
  { executionId, position, item = ONCE }: Pick<Claim, 'executionId'> & ToolCallPlace,
): Promise<void> {
  await db
    .delete(toolCalls)
    .where(
      and(
        eq(toolCalls.executionId, executionId),
        eq(toolCalls.position, position),
        eq(toolCalls.item, sql`${item}`),
      ),
    )
}
