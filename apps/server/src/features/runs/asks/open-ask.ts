import type { WaitingFor } from '@catenary/contracts'
import type { Transaction } from '../../../database/statements/executor.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { RunStopped } from '../engine/active-runs.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import { askJobs } from './ask-jobs.ts'
import { listGroupsNamed, listPeopleNamed } from './asked-names.sql.ts'
import { isAnybodyAsked } from './asked-people.sql.ts'
import type { ShownCall } from './asked-steps.sql.ts'
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
  calls: ShownCall[]
}

/**
 * The run waits from now on, and belongs to no process; false where another worker has it. Where nobody could answer, the
 * choice for the deadline holds at once. One ask may be opened again.
 */
export function openAsk(ctx: Context, asked: NewAsk): Promise<boolean> {
  const { executionId, attempt, step } = asked
  const { people, groups, role } = step.ask
  return waitOn(ctx, {
    executionId,
    attempt,
    title: step.title,
    open: async (ctx, run) => ({
      opened: [await insertOpened(ctx, { ...asked, run })],
      asked: { people, groups, ...(role && { role }) },
    }),
  })
}

export interface WaitingRun {
  userId: number
  chainId: number
}

export interface OpenedAsk {
  id: number
  question: string
  since: Date
  deadline: Date
}

interface NewWait {
  executionId: number
  attempt: number
  title: string
  open: (
    ctx: Context<Transaction>,
    run: WaitingRun,
  ) => Promise<{
    opened: OpenedAsk[]
    asked: Pick<WaitingFor, 'people' | 'groups' | 'role'>
    unsure?: true
  }>
}

export function waitOn(ctx: Context, { executionId, attempt, title, open }: NewWait): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const run = await findWaitingRun(db, { executionId, attempt })
    if (run === undefined) return false
    if (run.isWaiting) return true
    if (run.cancelRequested) throw new RunStopped('person')
    const { opened, asked, unsure } = await open(ctx, run)
    const [first] = opened
    if (first === undefined) throw new Error('A run waits for nothing')
    const waitingFor: WaitingFor = {
      askId: first.id,
      title,
      since: first.since.toISOString(),
      deadline: first.deadline.toISOString(),
      ...asked,
      ...(unsure && { unsure }),
    }
    await letWait(db, { executionId, waitingFor })
    if (!(await isAnybodyAsked(db, first.id))) {
      const locked = await lockAsk(db, { id: first.id, executionId })
      if (locked) await expireAsk(ctx, { ask: locked, isLost: true })
      return true
    }
    for (const ask of opened) {
      await sendJobs(ctx, { ...ask, executionId })
      const { chainId } = run
      await tellOfAsk(ctx, { ...ask, executionId, chainId, isReminder: false, isMailed: ask === first })
    }
    return true
  })
}

async function sendJobs(
  ctx: Context<Transaction>,
  { id, executionId, since, deadline }: OpenedAsk & { executionId: number },
): Promise<void> {
  const { deadlines, reminders } = askJobs(ctx)
  const job = { key: String(id), payload: { id, executionId } }
  const half = new Date((since.getTime() + deadline.getTime()) / 2)
  await deadlines.send(ctx.db, { ...job, runAt: deadline })
  await reminders.send(ctx.db, { ...job, runAt: half })
}

async function insertOpened(
  ctx: Context<Transaction>,
  {
    executionId,
    attempt,
    run: { userId, chainId },
    step: { position, title, ask, outputVariableName: outputName },
    input: { text, segments, resolved },
    calls,
  }: NewAsk & { run: WaitingRun },
): Promise<OpenedAsk> {
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
    calls,
    createdAt: since,
  })
  return { id, question, since, deadline }
}
