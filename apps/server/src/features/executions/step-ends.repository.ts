import type { InputSegment, ValueOrigin } from '@catenary/contracts'
import { and, eq, type Query, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/executor.ts'
import { preparePlain } from '../../db/plain-statement.ts'
import { executionSteps, executions } from '../../db/schema/index.ts'

/** Under which a run is written: a worker that lost it changes nothing any more. */
export interface Claim {
  executionId: number
  attempt: number
}

/** What is known of a step when it ends, whichever way. */
export interface StepEnd {
  position: number
  startedAt: Date
  inputContent: string | null
  inputSegments: InputSegment[]
  resolved: Record<string, ValueOrigin>
  aiResponse: string
  retries: number
  durationMs: number
}

export interface CompletedStep extends StepEnd {
  provider: string
  modelId: string
  inputTokens: number | null
  outputTokens: number | null
  costNanos: number | null
  firstTokenMs: number
}

/** A completed step under the claim of its run, and the person whose right to go on counts. */
type FinishedStep = Claim & CompletedStep & { userId: number }

type Placed<Row> = { [Key in keyof Row]: ReturnType<typeof sql> }

/** Placeholders of the step that is the `index`-th of a statement. */
function placesOf(index: number) {
  const of = (name: keyof FinishedStep) => sql`${sql.placeholder(`${name}_${index}`)}`
  const completed: Placed<Omit<CompletedStep, 'position'>> = {
    startedAt: of('startedAt'),
    inputContent: of('inputContent'),
    inputSegments: of('inputSegments'),
    resolved: of('resolved'),
    aiResponse: of('aiResponse'),
    retries: of('retries'),
    durationMs: of('durationMs'),
    provider: of('provider'),
    modelId: of('modelId'),
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    costNanos: of('costNanos'),
    firstTokenMs: of('firstTokenMs'),
  }
  const ended = { finishedAt: sql`now()`, error: sql`null`, errorCode: sql`null` }
  return {
    columns: { status: sql`'completed'`, ...ended, ...completed },
    run: { status: sql`'completed'`, output: of('aiResponse'), leaseUntil: sql`null`, ...ended },
    runUnderClaim: and(eq(executions.id, of('executionId')), eq(executions.attempt, of('attempt'))),
    /** By values: a join would be planned anew with the size of the tables, and scan them while they are small. */
    thisStep: and(
      eq(executionSteps.executionId, of('executionId')),
      eq(executionSteps.position, of('position')),
    ),
    underClaim: eq(executionSteps.attempt, of('attempt')),
    mayGoOn: sql<boolean>`(
      select not (banned and (ban_expires is null or ban_expires > now())) from users where users.id = ${of('userId')}
    )`,
  }
}

type FinishSteps = (steps: FinishedStep[]) => Promise<(boolean | undefined)[]>

interface FinishedRow {
  index: number
  may_go_on: boolean
}

function readerOf(placeholder: string): (steps: FinishedStep[]) => unknown {
  const [name, index] = placeholder.split('_')
  const key = name as keyof FinishedStep
  return (steps) => {
    const value = steps[Number(index)]?.[key]
    if (value instanceof Date) return value.toISOString()
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  }
}

/** Prepared for each number of steps; undefined in the result: that run was lost. */
function prepareFinish({
  db,
  name,
  queryFor,
}: {
  db: Database
  name: string
  queryFor: (count: number) => { toSQL(): Query }
}): FinishSteps {
  const prepare = (count: number) =>
    preparePlain<FinishedStep[], FinishedRow>({
      db,
      name: `${name}_${count}`,
      query: queryFor(count),
      readerOf,
    })
  const prepared = new Map<number, ReturnType<typeof prepare>>()
  return async (steps) => {
    const finish = prepared.get(steps.length) ?? prepare(steps.length)
    prepared.set(steps.length, finish)
    const rows = await finish(steps)
    return steps.map((_, index) => rows.find((row) => row.index === index)?.may_go_on)
  }
}

/** As a text: by its own value a run would be looked for among all that run, not by its id. */
const unindexedStatus = sql`${executions.status}::text`

const indexesOf = (count: number) => Array.from({ length: count }, (_, index) => index)

const finishedRows = (count: number) => {
  const rows = indexesOf(count).map(
    (index) => sql`select ${sql.raw(`${index} as index, may_go_on from finished_${index}`)}`,
  )
  return sql`(${sql.join(rows, sql` union all `)}) as finished`
}

const finishedColumns = { index: sql<number>`index`, mayGoOn: sql<boolean>`may_go_on` }

/**
 * Completes steps of different runs that others follow, all in one statement. Says of each whether its person may go on.
 * Each step's own row says whose attempt it is: who waits for a takeover's lock on it looks at that again.
 */
export function prepareFinishSteps(db: Database): FinishSteps {
  const finish = (index: number) => {
    const { columns, thisStep, underClaim, mayGoOn } = placesOf(index)
    const update = db.update(executionSteps).set(columns).where(and(thisStep, underClaim))
    return { update, mayGoOn }
  }
  const queryFor = (count: number) => {
    if (count === 1) {
      const { update, mayGoOn } = finish(0)
      return update.returning({ index: sql<number>`0`.as('index'), mayGoOn: mayGoOn.as('may_go_on') })
    }
    const parts = indexesOf(count).map((index) => {
      const { update, mayGoOn } = finish(index)
      return db.$with(`finished_${index}`).as(update.returning({ mayGoOn: mayGoOn.as('may_go_on') }))
    })
    return db
      .with(...parts)
      .select(finishedColumns)
      .from(finishedRows(count))
  }
  return prepareFinish({ db, name: 'finish_steps', queryFor })
}

/** Completes last steps and with them their runs, all in one statement. Written again, they stay the same. */
export function prepareFinishLastSteps(db: Database): FinishSteps {
  const queryFor = (count: number) => {
    const parts = indexesOf(count).flatMap((index) => {
      const { columns, run, runUnderClaim, thisStep } = placesOf(index)
      const ended = db.$with(`ended_${index}`).as(
        db
          .update(executions)
          .set(run)
          .where(and(runUnderClaim, sql`${unindexedStatus} in ('running', 'completed')`))
          .returning({ id: executions.id }),
      )
      const finished = db.$with(`finished_${index}`).as(
        db
          .update(executionSteps)
          .set(columns)
          .from(ended)
          .where(thisStep)
          .returning({ mayGoOn: sql<boolean>`true`.as('may_go_on') }),
      )
      return [ended, finished]
    })
    return db
      .with(...parts)
      .select(finishedColumns)
      .from(finishedRows(count))
  }
  return prepareFinish({ db, name: 'finish_last_steps', queryFor })
}

export interface EndedRun extends Claim {
  status: 'completed' | 'failed' | 'cancelled'
  output?: string
  error: string | null
  errorCode: string | null
  /** The step that was under way, with what is known of it. */
  step?: Pick<StepEnd, 'position'> & Partial<StepEnd>
}

/** Ends a run before or without its last step; nothing happens when it was lost. */
export async function endChainRun(
  tx: Transaction,
  { executionId, attempt, status, output, error, errorCode, step }: EndedRun,
): Promise<void> {
  const ended = await tx
    .update(executions)
    .set({ status, output, error, errorCode, leaseUntil: null, finishedAt: sql`now()` })
    .where(
      and(eq(executions.id, executionId), eq(executions.attempt, attempt), eq(executions.status, 'running')),
    )
    .returning({ id: executions.id })
  if (ended.length === 0 || step === undefined) return
  await tx
    .update(executionSteps)
    .set({ ...step, status, error, errorCode, finishedAt: sql`now()` })
    .where(and(eq(executionSteps.executionId, executionId), eq(executionSteps.position, step.position)))
}
