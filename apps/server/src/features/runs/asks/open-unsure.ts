import { ASK_DEADLINE_MINUTES_MAX, ASK_TEXT_MAX, type AskChoice } from '@catenary/contracts'
import type { Transaction } from '../../../database/statements/executor.ts'
import type { Context } from '../../../platform/context.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import { AGAIN, HAPPENED } from './close-unsure.ts'
import { insertAsk } from './open-ask.sql.ts'
import { type OpenedAsk, type WaitingRun, waitOn } from './open-ask.ts'
import { findUsername } from './unsure.sql.ts'

const MINUTE_MS = 60_000

/** A call of which nobody knows whether it happened. */
export interface UnsureOne {
  /** Place of its item in the list; null: its step runs once. */
  item: number | null
  why: string
  input: Pick<RenderedStep, 'text' | 'segments' | 'resolved'>
}

interface NewUnsure {
  executionId: number
  attempt: number
  step: Pick<PlannedStep, 'position' | 'title' | 'outputVariableName'>
  calls: readonly UnsureOne[]
}

const CHOICES: AskChoice[] = [
  { id: HAPPENED, label: 'It happened' },
  { id: AGAIN, label: 'Send it again' },
]

/** The run waits until its runner has said of each of these calls whether it happened; else as `openAsk`. */
export function openUnsure(ctx: Context, { calls, step, ...claimed }: NewUnsure): Promise<boolean> {
  return waitOn(ctx, {
    ...claimed,
    title: step.title,
    open: async (ctx, run) => {
      const username = await findUsername(ctx.db, run.userId)
      const opened: OpenedAsk[] = []
      for (const call of calls)
        opened.push(await insertUnsure(ctx, { ...claimed, step, call, run, username }))
      return { opened, asked: { people: [username], groups: [] }, unsure: true }
    },
  })
}

async function insertUnsure(
  ctx: Context<Transaction>,
  {
    executionId,
    attempt,
    run: { userId, chainId },
    step: { position, title, outputVariableName: outputName },
    call: { item, why, input },
    username,
  }: Omit<NewUnsure, 'calls'> & { call: UnsureOne; run: WaitingRun; username: string },
): Promise<OpenedAsk> {
  const { text, segments, resolved } = input
  const since = ctx.now()
  const deadline = new Date(since.getTime() + ASK_DEADLINE_MINUTES_MAX * MINUTE_MS)
  const question = questionOf({ title, position, item })
  const id = await insertAsk(ctx.db, {
    executionId,
    attempt,
    position,
    title,
    userId,
    chainId,
    question,
    text: text.slice(0, ASK_TEXT_MAX),
    editable: false,
    role: null,
    notTheRunner: false,
    choices: CHOICES,
    onDeadline: '',
    deadline,
    people: [userId],
    groups: [],
    asked: { people: [username], groups: [] },
    input: { outputName, segments, resolved },
    unsure: { item, why },
    createdAt: since,
  })
  return { id, question, since, deadline }
}

function questionOf({ title, position, item }: { title: string; position: number; item: number | null }) {
  const step = title === '' ? `step ${position + 1}` : `“${title}”`
  return `Did the call of ${step}${item === null ? '' : ` for item ${item + 1}`} happen?`
}
