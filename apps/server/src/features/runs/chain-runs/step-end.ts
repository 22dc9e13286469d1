import type { ActiveRun } from '../engine/active-runs.ts'
import { toKept } from '../engine/attachments.ts'
import type { Answered } from '../engine/schema-answers/answer-by-schema.ts'
import { toAsked } from '../engine/step-templates.ts'
import type { StepEnd } from './step-ends.sql.ts'
import type { RunningStep } from './step-reads.ts'

/** What is stored of a step that ends now, whichever way. */
export function toStepEnd({
  run,
  underWay,
  result,
}: {
  run: ActiveRun
  underWay: RunningStep
  result?: Answered
}) {
  const { step, startedAt, start, input, read, loop } = underWay
  const { forEach, messages = [] } = step
  const turns = input?.messages ?? (loop ? messages : [])
  return {
    step,
    startedAt,
    systemPrompt: input?.systemPrompt ?? step.systemPrompt,
    messages: turns.length > 0 ? turns : null,
    settings: loop ? { ...toAsked(step), forEach } : input ? toAsked(step) : null,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    resolved: input?.resolved ?? { ...read, ...loop?.resolved },
    attachments: loop?.attachments ?? toKept(input?.placed ?? []),
    aiResponse: result?.text ?? '',
    retries: result?.retries ?? 0,
    limitWaitMs: run.limitWaitMs,
    durationMs: Math.round(performance.now() - start),
  } satisfies StepEnd
}
