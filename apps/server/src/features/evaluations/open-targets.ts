import type { EvaluationTargetRequest, PromptSettings, User } from '@catenary/contracts'
import { flowTemplate, outputsBefore } from '@catenary/domain'
import { AppError, fieldError } from '../../errors.ts'
import type { AppContext, Context } from '../../platform/context.ts'
import { openChainForRun, type RunnableChain } from '../chains/chains.ts'
import { requireKnownModel } from '../models/models.ts'
import { readPrompt, readPromptVersion } from '../prompts/prompts.ts'
import { promptSettingsOf } from '../records/records.ts'
import type { EstimatedTarget } from './estimate-cost.ts'
import type { TestedRecord } from './evaluations.sql.ts'

interface OpenRequest {
  id: number
  user: User
  canEdit: boolean
}

export async function openTargets(
  ctx: AppContext,
  {
    record: { kind, id },
    user,
    canEdit,
    targets,
  }: Omit<OpenRequest, 'id'> & { record: TestedRecord; targets: EvaluationTargetRequest[] },
): Promise<EstimatedTarget[]> {
  const names = targets.map(({ version, model }) => `${version} ${model}`)
  if (new Set(names).size < names.length)
    throw fieldError('targets', 'List each pair of version and model once')
  const open = { prompt: openPrompt, chain: openChain }
  const opened: EstimatedTarget[] = []
  for (const target of targets) opened.push(await open[kind](ctx, { id, user, canEdit }, target))
  return opened
}

async function openPrompt(
  ctx: Context,
  { id, user }: OpenRequest,
  { version, model }: EvaluationTargetRequest,
): Promise<EstimatedTarget> {
  if (model === null) throw fieldError('targets', 'Choose a model for each version of a prompt')
  requireKnownModel(ctx, { alias: model, path: 'targets' })
  const prompt = await readPrompt(ctx, { id, user })
  if (!prompt.canExecute) throw new AppError('forbidden', 'You can’t run this prompt')
  if (!prompt.isActive) throw new AppError('conflict', 'This prompt is inactive. Activate it to test it.')
  const text =
    version === prompt.version ? prompt : await readPromptVersion(ctx, { id, number: version, user })
  const {
    model: _own,
    fallbackModel: _fallback,
    moreFallbackModels: _more,
    ...settings
  } = promptSettingsOf(text) ?? {}
  const isSet = Object.keys(settings).length > 0
  return {
    version,
    model,
    texts: [{ content: `${saidBefore(settings)}${text.content}`, model }],
    settings: isSet ? settings : null,
    others: [{ kind: 'prompt', id, names: text.othersNames ?? [] }],
  }
}

async function openChain(
  ctx: AppContext,
  { id, user, canEdit }: OpenRequest,
  { version, model }: EvaluationTargetRequest,
): Promise<EstimatedTarget> {
  if (model !== null) throw fieldError('targets', 'Leave out the models: the steps of a chain have their own')
  // Older versions may be from before the chain was public.
  if (!canEdit && version !== (await openChainForRun(ctx, { id, user })).version) {
    throw new AppError('forbidden', 'You can’t run older versions of this chain')
  }
  const { steps, stopsWithoutValue, stopsWhenCut } = await openChainForRun(ctx, { id, user, version })
  const outputs = outputsBefore(steps)
  return {
    version,
    model,
    texts: steps.flatMap(({ model, ...step }) =>
      model === null
        ? []
        : [{ content: `${saidBefore(step)}${step.content}`, model, calls: step.forEach?.max }],
    ),
    flows: steps.map((step, index) => flowTemplate(step, outputs[index])),
    // The default says nothing: cells from before the field was there are used again.
    settings: [
      stopsWithoutValue,
      ...(stopsWhenCut === 'unwatched' ? [] : [stopsWhenCut]),
      steps.map(settingsOf),
    ],
    frozenLinks: steps.map(({ promptVersion }) => promptVersion),
    others: steps.flatMap(({ others }) => others),
  }
}

const saidBefore = ({ systemPrompt, messages = [] }: SaidBefore) =>
  [systemPrompt ?? '', ...messages.map(({ content }) => content)].join('')

interface SaidBefore {
  systemPrompt?: string | null | undefined
  messages?: PromptSettings['messages']
}

type Step = RunnableChain['steps'][number]
/** They stand elsewhere among what is compared, or change no answer. */
type Apart = 'id' | 'title' | 'content' | 'model' | 'promptId' | 'promptLabel' | 'promptVersion' | 'others'

/** Every other field, in the order of cells from before, which are used again. */
const settingsOf = (step: Step): Record<Exclude<keyof Step, Apart>, unknown> => ({
  systemPrompt: step.systemPrompt,
  fallbackModel: step.fallbackModel,
  moreFallbackModels: step.moreFallbackModels,
  outputVariableName: step.outputVariableName,
  temperature: step.temperature,
  maxTokens: step.maxTokens,
  effort: step.effort,
  stop: step.stop,
  output: step.output,
  messages: step.messages,
  kind: step.kind,
  onlyIf: step.onlyIf,
  default: step.default,
  ifItFails: step.ifItFails,
  ask: step.ask,
  tool: step.tool,
  forEach: step.forEach,
})
