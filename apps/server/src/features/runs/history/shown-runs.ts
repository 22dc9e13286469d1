import type {
  ListedPromptRun,
  ListedRunItem,
  ListedRunStep,
  PromptRun,
  RunAccessLevel,
  RunDetails,
  RunItem,
  StepFallback,
  ValueOrigin,
} from '@catenary/contracts'

/** Failures whose words quote what was sent, or say where a value comes from. */
const QUOTING: ReadonlySet<string> = new Set([
  'model_rejected',
  'value_missing',
  'private_values',
  'condition_unreadable',
  'stopped_by_step',
  'ask_rejected',
  'value_would_leave',
  'internal',
])
const HIDDEN_REASON = 'Only the person who started this run sees the reason.'

export function shownError({
  access,
  error,
  errorCode,
}: {
  access: RunAccessLevel
  error: string | null
  errorCode: string | null
}): string | null {
  if (error === null || access === 'own') return error
  if (access === 'figures') return null
  return errorCode === null || QUOTING.has(errorCode) ? HIDDEN_REASON : error
}

/** Why a step was skipped: its condition, which stands in the chain, or how it failed. */
export function shownReason({
  access,
  skipReason,
  errorCode,
}: {
  access: RunAccessLevel
  skipReason: string | null
  errorCode: string | null
}): string | null {
  if (access === 'figures') return null
  return errorCode === null ? skipReason : shownError({ access, error: skipReason, errorCode })
}

const NO_PROMPT = {
  title: '',
  promptId: null,
  promptLabel: null,
  inputContent: null,
  inputSegments: [],
  fromOutside: undefined,
  attachments: [],
}

const NO_TURNS = { systemPrompt: '', messages: undefined }

export function textsOf({ run, prompts }: { run: RunDetails; prompts: ReadonlySet<number> }): RunDetails {
  const showStep = (step: ListedRunStep): ListedRunStep => {
    const isShown = step.promptVersion === null || (step.promptId !== null && prompts.has(step.promptId))
    return {
      ...step,
      ...(!isShown && NO_PROMPT),
      // What the step does not set comes from the prompt.
      ...(!isShown && { ...NO_TURNS, settings: withoutTexts(step.settings) }),
      resolved: withoutSources(step.resolved),
      fallback: step.fallback && withReason(step.fallback, HIDDEN_REASON),
    }
  }
  return { ...run, steps: run.steps.map(showStep) }
}

/** An item as others than its run's person see it. */
export function hideItem<Item extends RunItem | ListedRunItem>({
  item,
  access,
  isShown,
}: {
  item: Item
  access: RunAccessLevel
  isShown: boolean
}): Item {
  const fallback = item.fallback && withReason(item.fallback, access === 'figures' ? '' : HIDDEN_REASON)
  const resolved = 'resolved' in item && {
    resolved: access === 'figures' ? {} : withoutSources(item.resolved),
  }
  const noSegments = 'inputSegments' in item && { ...NO_TURNS, inputSegments: [] }
  const noInput = { inputContent: null, ...noSegments }
  if (access === 'texts') return { ...item, fallback, ...resolved, ...(!isShown && noInput) }
  const noStructured = 'structured' in item && { structured: undefined }
  return { ...item, fallback, ...resolved, ...noInput, ...noStructured, item: null, aiResponse: null }
}

/** Which models failed, not why: a refusal may quote what was sent. */
function withReason({ model, failed }: StepFallback, reason: string): StepFallback {
  return { model, reason, failed: failed?.map(({ model }) => ({ model, reason })) }
}

/** Whose values they were and when, not where from. */
function withoutSources(resolved: Record<string, ValueOrigin>): Record<string, ValueOrigin> {
  const hide = (origin: ValueOrigin): ValueOrigin => ({
    ...origin,
    variableId: null,
    revision: null,
    source: null,
    error: origin.error === null ? null : HIDDEN_REASON,
  })
  return Object.fromEntries(
    Object.entries(resolved).map(([name, origin]) => [
      name,
      origin.isPrivate === false ? origin : hide(origin),
    ]),
  )
}

export function metricsOf(run: RunDetails): RunDetails {
  return {
    ...run,
    input: '',
    output: null,
    result: null,
    steps: run.steps.map((step) => ({
      ...step,
      ...NO_PROMPT,
      outputVariableName: null,
      outputVariableValue: null,
      resolved: {},
      ...NO_TURNS,
      settings: withoutTexts(step.settings),
      aiResponse: null,
      structured: undefined,
      fallback: step.fallback && withReason(step.fallback, ''),
    })),
  }
}

/** What was set as a number or a level; stop texts, schemas and lists are words of the record. */
function withoutTexts(settings: ListedRunStep['settings']): PromptRun['settings'] {
  const { stop: _stop, output: _output, forEach: _list, ...levels } = settings ?? {}
  return Object.keys(levels).length === 0 ? undefined : levels
}

export function showPromptRun<Run extends PromptRun | ListedPromptRun>(run: Run): Run {
  if (run.sight === 'own') return run
  const error = run.error === null ? null : HIDDEN_REASON
  const fallback = run.fallback && withReason(run.fallback, run.sight === 'texts' ? HIDDEN_REASON : '')
  if (run.sight === 'texts') return { ...run, error, fallback, resolved: withoutSources(run.resolved ?? {}) }
  return {
    ...run,
    userInput: '',
    variableValues: {},
    template: null,
    executedPromptContent: '',
    systemPrompt: '',
    messages: undefined,
    settings: withoutTexts(run.settings),
    aiResponse: '',
    structured: undefined,
    resolved: {},
    fallback,
    attachments: [],
    error: null,
  }
}
