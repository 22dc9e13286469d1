import type { WaitingFor } from '@catenary/contracts'
import type { Transaction } from '../../../database/statements/executor.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { RunStopped } from '../engine/active-runs.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import { askJobs } from './ask-jobs.ts'
import { listGroupsNamed, listPeopleNamed } from './asked-names.sql.ts'
import { isAnybodyAsked } from './asked-people.sql.ts'
import { lockAsk } from './asks.sql.ts'
import { expireAsk } from './expire-asks.ts'
import { findWaitingRun, insertAsk, letWait } from './open-ask.sql.ts'
import { tellOfAsk } from './tell-asks.ts'

const MINUTE_MS = 60_000

interface NewAsk {
  executionId: number
  attempt: number
  step: PlannedStep & Required<Pick<PlannedStep, 'ask'>>
  input: Pick<RenderedStep, 'text' | 'segments' | 'resolved'>
}

/**
 * The run waits from now on, and belongs to no process; false where another worker has it. Where nobody could answer, the
 * choice for the deadline holds at once. One ask may be opened again.
 */
export function openAsk(ctx: Context, asked: NewAsk): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const { executionId, attempt, step } = asked
    const run = await findWaitingRun(db, { executionId, attempt })
    if (run === undefined) return false
    if (run.isWaiting) return true
    if (run.cancelRequested) throw new RunStopped('person')
    const { id, deadline, since } = await insertOpened(ctx, { ...asked, run })
    const { question, people, groups, role } = step.ask
    const waitingFor: WaitingFor = {
      askId: id,
      title: step.title,
      since: since.toISOString(),
      deadline: deadline.toISOString(),
      people,
      groups,
      ...(role && { role }),
    }
    await letWait(db, { executionId, waitingFor })
    if (!(await isAnybodyAsked(db, id))) {
      const locked = await lockAsk(db, { id, executionId })
      if (locked) await expireAsk(ctx, { ask: locked, isLost: true })
      return true
    }
    const { deadlines, reminders } = askJobs(ctx)
    const job = { key: String(id), payload: { id, executionId } }
    const half = new Date((since.getTime() + deadline.getTime()) / 2)
    await deadlines.send(db, { ...job, runAt: deadline })
    await reminders.send(db, { ...job, runAt: half })
    const { chainId } = run
    await tellOfAsk(ctx, { id, executionId, chainId, question, deadline, isReminder: false })
    return true
  })
}

async function insertOpened(
  ctx: Context<Transaction>,
  {
    executionId,
    attempt,
    run: { userId, chainId },
    step: { position, title, ask, outputVariableName: outputName },
    input: { text, segments, resolved },
  }: NewAsk & { run: { userId: number; chainId: number } },
): Promise<{ id: number; since: Date; deadline: Date }> {
  const since = ctx.now()
  const deadline = new Date(since.getTime() + ask.deadlineMinutes * MINUTE_MS)
  const { question, editable, people, groups, role = null, notTheRunner, choices, onDeadline } = ask
  const id = await insertAsk(ctx.db, {
    executionId,
    attempt,
    position,
    title,
    userId,
    chainId,
    question,
    text,
    editable,
    role,
    notTheRunner,
    choices,
    onDeadline,
    deadline,
    people: await listPeopleNamed(ctx.db, people),
    groups: await listGroupsNamed(ctx.db, groups),
    asked: { people, groups },
    input: { outputName, segments, resolved },
    createdAt: since,
  })
  return { id, since, deadline }
}
