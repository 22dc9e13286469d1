import type { Transaction } from '../../../database/statements/executor.ts'
import type { Context } from '../../../platform/context.ts'
import { activeRuns } from '../engine/active-runs.ts'
import { askJobs } from './ask-jobs.ts'
import type { LockedAsk } from './asks.sql.ts'
import { storeAnswer } from './close-ask.sql.ts'
import { closeAnswered, failUnsure, letSendAgain, storeItemAnswer, waitForNext } from './unsure.sql.ts'

export const HAPPENED = 'happened'
export const AGAIN = 'again'

interface Closing {
  /** Locked with its run, and open. */
  ask: LockedAsk
  by: number
  /** The output of the step or item, where its call happened; undefined: it is sent again. */
  output: string | undefined
  /** As the runner gave it. */
  given: string | null
}

/** The call is done with, or sent again, once nothing else of the run is unsure. */
export async function closeUnsure(
  ctx: Context<Transaction>,
  { ask, by, output, given }: Closing,
): Promise<void> {
  const { db } = ctx
  const { id, executionId, unsure } = ask
  const closed = {
    decision: output === undefined ? AGAIN : HAPPENED,
    givenText: given,
    answeredBy: by,
    closedAt: ctx.now(),
  }
  const item = unsure?.item ?? null
  if (output !== undefined && item === null) {
    const answered = { ...closed, status: 'answered', reason: null } as const
    await storeAnswer(db, { ask, ends: null, error: null, output, closed: answered })
  } else {
    await closeAnswered(db, { id, ...closed })
    if (output === undefined) await letSendAgain(db, ask)
    else if (item !== null) await storeItemAnswer(db, { ask, index: item, output })
    await waitForNext(db, executionId)
  }
  await removeJobs(ctx, [id])
  activeRuns(ctx).notify(executionId, 'step')
}

const UNANSWERED = 'Nobody said within 30 days whether the call happened'
const LOST = 'Nobody was left who could say whether the call happened'

/** Whatever the step says of failures: what follows would go on as if nothing was sent. */
export async function expireUnsure(
  ctx: Context<Transaction>,
  { ask, isLost }: { ask: LockedAsk; isLost: boolean },
): Promise<void> {
  const closed = await failUnsure(ctx.db, { ask, error: isLost ? LOST : UNANSWERED })
  await removeJobs(ctx, closed)
  activeRuns(ctx).notify(ask.executionId, 'step')
}

async function removeJobs(ctx: Context<Transaction>, ids: number[]): Promise<void> {
  const { deadlines, reminders } = askJobs(ctx)
  for (const id of ids) {
    await deadlines.remove(ctx.db, String(id))
    await reminders.remove(ctx.db, String(id))
  }
}
