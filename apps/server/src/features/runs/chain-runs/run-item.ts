import type { ForEach } from '@catenary/contracts'
import { asksEachItem } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { AnswerCutError, toAnswered } from '../engine/answer-cut.ts'
import type { PlacedAttachment } from '../engine/attachments.ts'
import { kindOf } from '../engine/planned-step.ts'
import type { RunFailure } from '../engine/run-ending.ts'
import { AnswerInvalidError } from '../engine/schema-answers/answer-invalid.ts'
import { KIND_IN_RUN } from './kinds/kinds.ts'
import { NO_COST } from './kinds/no-cost.ts'
import type { ItemEnd, KnownItem } from './loop-items.sql.ts'
import { prepareInput } from './render-input.ts'
import { requireMayGo } from './sends.ts'
import { skipReasonOf } from './skip-reason.ts'
import { holds, type StepOfRunning } from './step-reads.ts'

export interface ItemToGo extends StepOfRunning {
  item: KnownItem
}

export interface ItemResult {
  end: ItemEnd
  placed: readonly PlacedAttachment[]
}

/** Runs a step for one item, as a run of its own; its plan has the item among its outputs. */
export async function runItem(
  ctx: Context,
  { item, forEach, ...toGo }: ItemToGo & { forEach: ForEach },
): Promise<ItemResult> {
  const { run, plan, record, underWay } = toGo
  run.signal.throwIfAborted()
  const { step } = underWay
  const { onlyIf } = step
  if (onlyIf && asksEachItem(onlyIf, forEach) && !(await holds(ctx, { ...toGo, onlyIf }))) {
    const skipped = { ...NO_COST, status: 'completed' as const, skipReason: skipReasonOf(onlyIf) }
    return { end: { ...toItemEnd({ ...toGo, item }), ...skipped }, placed: [] }
  }
  const input = await prepareInput(ctx, toGo)
  await requireMayGo(ctx, { plan, step })
  const { takeItem } = KIND_IN_RUN[kindOf(step)]
  if (takeItem === undefined) throw new Error(`A step of kind ${kindOf(step)} runs for no items`)
  const answered = await takeItem(ctx, { run, plan, record, underWay, input, item: item.index })
  return { end: { ...toItemEnd({ ...toGo, item }), ...answered, status: 'completed' }, placed: input.placed }
}

export function toFailedItem({
  error,
  failure,
  ...toGo
}: ItemToGo & { error: unknown; failure: RunFailure }): ItemResult {
  const used = error instanceof ModelError ? error.used : undefined
  const invalid = error instanceof AnswerInvalidError ? error : undefined
  const cut = error instanceof AnswerCutError ? error.answer : undefined
  const end = {
    ...toItemEnd(toGo),
    aiResponse: invalid?.text ?? cut?.text ?? toGo.run.text,
    structured: invalid?.structured ?? cut?.structured ?? null,
    ...used,
    ...(cut && toAnswered(cut)),
    status: failure.status,
    error: failure.message,
    errorCode: failure.code,
  }
  return { end, placed: toGo.underWay.input?.placed ?? [] }
}

/** Every column, so that nothing stays of a try before. */
function toItemEnd({ run, underWay, item }: Pick<ItemToGo, 'run' | 'underWay' | 'item'>) {
  const { step, startedAt, start, input, read } = underWay
  const isOwn = input !== undefined && input.systemPrompt !== step.systemPrompt
  const turns = input?.messages ?? []
  const areOwn = turns.some(({ content }, index) => content !== step.messages?.[index]?.content)
  return {
    position: step.position,
    index: item.index,
    resolved: input?.resolved ?? read ?? {},
    systemPrompt: isOwn ? input.systemPrompt : null,
    messages: areOwn ? turns : null,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    aiResponse: null,
    structured: null,
    error: null,
    errorCode: null,
    skipReason: null,
    provider: null,
    modelId: null,
    fallback: null,
    finishReason: null,
    inputTokens: null,
    outputTokens: null,
    cachedTokens: null,
    costNanos: null,
    savedNanos: null,
    firstTokenMs: null,
    retries: run.step?.retries ?? 0,
    limitWaitMs: run.limitWaitMs,
    durationMs: Math.round(performance.now() - start),
    startedAt,
  } satisfies Omit<ItemEnd, 'status'>
}
