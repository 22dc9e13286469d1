import { and, eq, sql } from 'drizzle-orm'
import { toolCalls } from '../../../../../database/schema/index.ts'
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
  /** It was begun before, and what became of it is not known. */
  isRepeat: boolean
}

/** Written before the call goes out; undefined where another worker has the run by now. */
export async function beginToolCall(
  db: Executor,
  { executionId, attempt, position, item = ONCE }: Claim & ToolCallPlace,
): Promise<BegunCall | undefined> {
  const key = crypto.randomUUID()
  try {
    const [row] = await db
      .insert(toolCalls)
      .values({ executionId, attempt, position, item, key })
      .onConflictDoUpdate({
        target: [toolCalls.executionId, toolCalls.position, toolCalls.item],
        set: { attempt },
      })
      .returning({ key: toolCalls.key })
    return row && { key: row.key, isRepeat: row.key !== key }
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
