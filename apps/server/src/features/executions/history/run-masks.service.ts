import {
  type Execution,
  type InputSegment,
  type ListedExecutionStep,
  type ListedPromptExecution,
  type PromptExecution,
  type RunSight,
  type ValueOrigin,
  valueOrigins,
} from '@catenary/contracts'
import { createMask, MASK } from '@catenary/domain'
import type { Executor } from '../../../db/executor.ts'
import { SEGMENTS_MAX } from '../engine/step-input.ts'
import { findStepValues, listPositionsWithValues } from './run-details.repository.ts'

/** In UTF-16 units of all values of a run: with more of them nothing of its texts is shown. */
const VALUES_MAX = 8_000_000
/** Failures whose words quote what was sent, or say where a value comes from. */
const QUOTING: ReadonlySet<string> = new Set(['model_rejected', 'value_missing', 'internal'])
const HIDDEN_REASON = 'Only the person who started this run sees the reason.'

export type Mask = Pick<ReturnType<typeof createMask>, 'mask' | 'maskText'>

/** In place of a mask where it is not known what to look for. */
const hideAll: Mask = {
  mask: ({ text }) => ({ text: text === '' ? '' : MASK, segments: [] }),
  maskText: (text) => (text === '' ? '' : MASK),
}

function isPrivate(origin: ValueOrigin | undefined): boolean {
  if (origin === undefined || origin.type === 'typed' || origin.type === 'none') return false
  return origin.isPrivate !== false
}

const originOf = (resolved: Record<string, ValueOrigin>, name: string) =>
  Object.hasOwn(resolved, name) ? resolved[name] : undefined

/** Masks the values of the runner's private variables that went into any step of the run so far. */
export async function readMask(executor: Executor, executionId: number): Promise<Mask> {
  const values = new Set<string>()
  let length = 0
  for (const position of await listPositionsWithValues(executor, executionId)) {
    const step = await findStepValues(executor, { executionId, position })
    const resolved = valueOrigins.safeParse(step?.resolved).data ?? {}
    const segments = (step?.inputSegments ?? []) as InputSegment[]
    if (!Object.values(resolved).some(isPrivate)) continue
    if (segments.length >= SEGMENTS_MAX) return hideAll
    for (const { kind, name, start, end } of segments) {
      const value = step?.inputContent?.slice(start, end) ?? ''
      if (kind !== 'variable' || !isPrivate(originOf(resolved, name)) || values.has(value)) continue
      values.add(value)
      length += value.length
      if (length > VALUES_MAX) return hideAll
    }
  }
  return createMask(values)
}

/** Why a run or a step failed, as far as the viewer is told. */
export function shownError({
  sight,
  error,
  errorCode,
}: {
  sight: RunSight
  error: string | null
  errorCode: string | null
}): string | null {
  if (error === null || sight === 'own') return error
  if (sight === 'figures') return null
  return errorCode === null || QUOTING.has(errorCode) ? HIDDEN_REASON : error
}

/** What another person ran, with what is private masked; nothing is told of prompts that the viewer can't see. */
export function maskExecution({
  run,
  mask: { mask, maskText },
  prompts,
}: {
  run: Execution
  mask: Mask
  prompts: ReadonlySet<number>
}): Execution {
  const maskOptional = (text: string | null) => (text === null ? null : maskText(text))
  const output = maskOptional(run.output)
  const maskStep = (step: ListedExecutionStep): ListedExecutionStep => {
    const { inputContent, inputSegments: segments, resolved } = step
    const isMasked = ({ kind, name }: InputSegment) =>
      kind === 'variable' && isPrivate(originOf(resolved, name))
    // Of a clipped input it is not known what a reference brought.
    const isHidden = step.contentClipped === true || !mayReadTemplate({ step, prompts })
    const input = inputContent === null ? null : mask({ text: inputContent, segments, isMasked })
    const shown = {
      ...step,
      ...(isHidden
        ? { inputContent: input && MASK, inputSegments: [] }
        : { inputContent: input?.text ?? null, inputSegments: input?.segments ?? [] }),
      resolved: maskOrigins(resolved),
      aiResponse: maskOptional(step.aiResponse),
      outputVariableValue: maskOptional(step.outputVariableValue),
      systemPrompt: maskText(step.systemPrompt),
      error: shownError({ ...step, sight: 'masked' }),
      fallback: step.fallback && { ...step.fallback, reason: HIDDEN_REASON },
    }
    return mayReadTemplate({ step, prompts })
      ? shown
      : { ...shown, title: '', promptId: null, promptLabel: null }
  }
  return {
    ...run,
    ...{ output, input: maskText(run.input), result: run.result && { output } },
    error: shownError({ ...run, sight: 'masked' }),
    token: null,
    steps: run.steps.map(maskStep),
  }
}

/** A step that ran the current text of its prompt shows it to who may see that prompt. */
function mayReadTemplate({
  step: { promptId, promptVersion },
  prompts,
}: {
  step: ListedExecutionStep
  prompts: ReadonlySet<number>
}): boolean {
  return promptVersion === null || (promptId !== null && prompts.has(promptId))
}

function maskOrigins(resolved: Record<string, ValueOrigin>): Record<string, ValueOrigin> {
  const hide = (origin: ValueOrigin): ValueOrigin => ({
    ...{ type: origin.type, at: origin.at, isPrivate: true },
    ...{ variableId: null, revision: null, source: null, cachedAt: null },
    error: origin.error === null ? null : HIDDEN_REASON,
  })
  return Object.fromEntries(
    Object.entries(resolved).map(([name, origin]) => [name, isPrivate(origin) ? hide(origin) : origin]),
  )
}

/** What a run took and came to, without a word of it. */
export function figuresOf({ steps, ...run }: Execution): Execution {
  return {
    ...run,
    ...{ input: '', output: null, result: null, error: null, token: null, apiCall: null },
    steps: steps.map((step) => ({
      ...step,
      ...{ title: '', promptId: null, promptLabel: null },
      ...{ outputVariableName: null, outputVariableValue: null },
      ...{ inputContent: null, inputSegments: [], resolved: {}, systemPrompt: '', aiResponse: null },
      ...{ error: null, fallback: step.fallback && { ...step.fallback, reason: '' } },
    })),
  }
}

/** Another person's run of a prompt, with what is private masked. */
export function maskPromptExecution({
  run,
  mask: { maskText },
}: {
  run: PromptExecution
  mask: Mask
}): PromptExecution {
  const values = Object.entries(run.variableValues).map(([name, value]) => [name, maskText(value)])
  return {
    ...run,
    userInput: maskText(run.userInput),
    variableValues: Object.fromEntries(values),
    template: run.template === null ? null : maskText(run.template),
    executedPromptContent: maskText(run.executedPromptContent),
    systemPrompt: maskText(run.systemPrompt),
    aiResponse: maskText(run.aiResponse),
    resolved: maskOrigins(run.resolved ?? {}),
    error: run.error === null ? null : HIDDEN_REASON,
  }
}

/** Another person's run of a prompt in a list: its texts are masked where it is read by its id. */
export function withoutTexts(run: ListedPromptExecution): ListedPromptExecution {
  return {
    ...run,
    ...{ userInput: '', variableValues: {}, template: null, executedPromptContent: '', systemPrompt: '' },
    ...{ aiResponse: '', resolved: {}, error: run.error === null ? null : HIDDEN_REASON },
    contentClipped: true,
  }
}
