import {
  type AskedSettings,
  DEFAULT_MODEL,
  type Prompt,
  type PromptSettings,
  type PromptVersion,
  type RunAttachment,
  type RunPromptRequest,
  type User,
  type ValueOrigin,
} from '@catenary/contracts'
import { extractVariables, type ModelPrice, TemplateTooLongError } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ModelMessage } from '../../../platform/models/model-types.ts'
import { requireAllowedModels, requireKnownModel } from '../../models/models.ts'
import { readPrompt, readPromptVersion } from '../../prompts/prompts.ts'
import {
  type Allowed,
  type Consent,
  consentExcept,
  findWithheld,
  promptSettingsOf,
} from '../../records/records.ts'
import { limitedModels } from '../../spending/spending.ts'
import { requireAllowed, resolveVariables } from '../../variables/variables.ts'
import { attachTyped, type KnownValue, loadAttachments, toKept } from '../engine/attachments.ts'
import { fallbacksOf, requireAble } from '../engine/call-step-model.ts'
import { type AnswerBounds, type AnswerLimits, withSchema } from '../engine/planned-step.ts'
import { refusePrivateNames, usesPrivateValues, withheldIn } from '../engine/private-values.ts'
import { MissingValueError } from '../engine/run-ending.ts'
import { type RunMessage, toStoredInput } from '../engine/run-input.ts'
import { placeSent, type SentFile } from '../engine/sent-files.ts'
import { cacheKeyOf, requireValues, typedValues } from '../engine/step-input.ts'
import {
  joinTemplates,
  type RenderedStep,
  renderStep,
  type StepTemplates,
  toAsked,
} from '../engine/step-templates.ts'
import type { NewPromptRun } from './prompt-runs.sql.ts'
import { type PromptHandle, runPrompt } from './run-prompt.ts'

export interface PromptRunHandle extends PromptHandle {
  asked: string
  price: ModelPrice | null
  resolved: Record<string, ValueOrigin>
  attachments: RunAttachment[] | null
}

type UserTurn = RunMessage & { role: 'user' | 'assistant' }

type PromptText = Pick<PromptVersion, 'number' | 'title' | 'content'> & {
  settings: PromptSettings | null
  othersNames: readonly string[]
}

interface StartRequest {
  user: User
  allowed: Allowed
  request: RunPromptRequest
  /** Runs in place of the current text; the caller has made sure that it may. Goes before `request.promptVersion`. */
  version?: PromptText
  /** Turns of a conversation that follow on the prompt's text; what they say as `system` joins the system prompt. */
  turns?: RunMessage[]
  sent?: SentFile[]
  stopsWithoutValue?: boolean
  origin?: Pick<NewPromptRun, 'trigger' | 'apiTokenId' | 'apiCall'>
  bounds?: AnswerBounds
  id?: number | undefined
  signal?: AbortSignal
}

interface Rendering {
  templates: StepTemplates
  typed: Map<string, string>
  user: User
  consent: Consent
  signal: AbortSignal | undefined
}

const BY_HAND = { trigger: 'manual', apiTokenId: null, apiCall: null } as const

export async function startPromptRun(
  ctx: Context,
  {
    user,
    allowed,
    request,
    turns = [],
    sent = [],
    version,
    stopsWithoutValue = false,
    origin = BY_HAND,
    bounds,
    id,
    signal,
  }: StartRequest,
): Promise<PromptRunHandle> {
  const prompt = await findExecutable(ctx, { id: request.promptId, user })
  const typed = new Map(Object.entries({ ...request.variables, ...request.variableValues }))
  const {
    number,
    title,
    content: stored,
    settings: own,
    othersNames,
  } = version ?? (await findText(ctx, { prompt, user, number: request.promptVersion }))
  const edited = request.template === stored ? undefined : request.template
  const settings = settingsFor({ own, request })
  const model = request.model ?? own?.model ?? DEFAULT_MODEL
  requireKnownModel(ctx, { alias: model, path: 'model' })
  requireAllowedModels(ctx, { user, aliases: [model] })
  const asked = toAsked(settings)
  const { output, ...limits } = asked ?? {}
  const schema = withSchema(output, bounds?.schema)
  const { processedContent } = request
  const { systemPrompt = '', messages = [] } = settings
  const content = processedContent === undefined ? (edited ?? stored) : ''
  const templates = { content, systemPrompt, messages }
  const whole = joinTemplates(templates)
  for (const [name, key] of await placeSent(ctx, { sent, template: content, typed, user }))
    typed.set(name, key)
  const withheld = await findWithheld([{ kind: 'prompt', id: prompt.id, names: othersNames }], allowed)
  const consent = consentExcept(withheld.map(({ name }) => name))
  const input = await render(ctx, { templates, typed, user, consent, signal })
  const { segments, resolved, placed, ...rendered } = input
  const unfilled = new Set(withheldIn(resolved).map((name) => name.toLowerCase()))
  refusePrivateNames(withheld.filter(({ name }) => unfilled.has(name)))
  const text = processedContent ?? input.text
  if (stopsWithoutValue) await asInvalid(() => requireValues({ template: whole, resolved }))
  // An evaluation wants the model that it names, and no fallback.
  const fallbackModels = origin.trigger === 'evaluation' ? [] : fallbacksOf(own ?? {})
  refuseUnable(ctx, { call: { alias: model, ...asked }, fallbackModels })
  const said = await asInvalid(() => loadAttachments(ctx, { text, placed }))
  const attachments = toKept(placed)
  const userInput = request.userInput ?? ''
  const systemTurns = textsOf(turns, 'system')
  const system = [rendered.systemPrompt, ...systemTurns].filter(isFilled).join('\n\n')
  const fixed = isFilled(text) || rendered.messages.length > 0 ? rendered.fixedLength : 0
  const conversation = turns.filter((turn): turn is UserTurn => turn.role !== 'system')
  const run = await runPrompt(ctx, {
    id,
    record: {
      ...origin,
      userId: user.id,
      promptId: prompt.id,
      promptVersion: number,
      title,
      model,
      userInput: conversation.length === 0 ? userInput : toStoredInput(conversation).userInput,
      variableValues: Object.fromEntries(typed),
      systemPrompt: system,
      messages: rendered.messages.length === 0 ? null : rendered.messages,
      settings: asked,
      template: edited ?? null,
      inputContent: text,
      inputSegments: segments,
      resolved,
      attachments,
      privateValues: request.processedContent === undefined ? usesPrivateValues(resolved) : null,
    },
    call: {
      alias: model,
      messages: [
        ...rendered.messages,
        { role: 'user', content: withInput(said, userInput) },
        ...conversation,
      ],
      ...(system === '' ? {} : { system }),
      // A conversation's system prompt may be different each time.
      ...(systemTurns.length === 0 && fixed !== undefined && { fixedLength: fixed }),
      cacheKey: cacheKeyOf({ promptId: prompt.id, promptVersion: number }),
      ...limits,
      ...limitsOf(asked, bounds),
      ...schema,
      ...(origin.apiCall && { depth: origin.apiCall.depth + 1 }),
    },
    fallbackModels,
    signal,
  })
  return { ...run, asked: model, resolved, attachments, price: limitedModels(ctx).priceOf(model) }
}

async function findExecutable(ctx: Context, wanted: { id: number; user: User }): Promise<Prompt> {
  const prompt = await readPrompt(ctx, wanted)
  if (!prompt.canExecute) throw new AppError('forbidden', 'You can’t run this prompt')
  if (!prompt.isActive) throw new AppError('conflict', 'This prompt is inactive. Activate it to execute it.')
  return prompt
}

async function findText(
  ctx: Context,
  { prompt, user, number }: { prompt: Prompt; user: User; number?: number | undefined },
): Promise<PromptText> {
  const { id, version } = prompt
  const isCurrent = number === undefined || number === version
  const text = isCurrent ? { ...prompt, number: version } : await readPromptVersion(ctx, { id, number, user })
  return { ...text, othersNames: text.othersNames ?? [], settings: promptSettingsOf(text) }
}

async function render(
  ctx: Context,
  { templates, typed, user, consent, signal }: Rendering,
): Promise<RenderedStep> {
  const used = extractVariables(joinTemplates(templates))
  const filledIn = new Map([...typed].filter(([name]) => used.includes(name)))
  await requireAllowed(ctx, { typed: filledIn, user })
  const names = used.filter((name) => !typed.has(name))
  const stored = await resolveVariables(ctx, { names, user, consent, signal })
  return asInvalid(async () => {
    const given = typedValues({ used, values: filledIn })
    const attached = await attachTyped(ctx, { typed: given, ownerId: user.id })
    return renderStep({ templates, variables: new Map<string, KnownValue>([...stored, ...attached]) })
  })
}

/** How a run is run: as the version says, or as the request says in its place; null takes away. */
function settingsFor({
  own,
  request,
}: {
  own: PromptSettings | null
  request: RunPromptRequest
}): PromptSettings {
  const { systemPrompt, messages, effort, temperature, maxTokens, stop } = request
  const chosen = { systemPrompt, messages, effort, temperature, maxTokens, stop }
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
  return promptSettingsOf({ ...own, ...given }) ?? {}
}

function limitsOf(
  asked: AskedSettings | null,
  { maxTokens = Infinity, stop }: AnswerLimits = {},
): AnswerLimits {
  const most = Math.min(maxTokens, asked?.maxTokens ?? Infinity)
  return { ...(stop && { stop }), ...(most !== Infinity && { maxTokens: most }) }
}

function refuseUnable(ctx: Context, wanted: Parameters<typeof requireAble>[1]): void {
  try {
    requireAble(ctx, wanted)
  } catch (error) {
    if (error instanceof ModelError) throw new AppError('invalid', error.message, { details: error.code })
    throw error
  }
}

/** Errors in a text or its values are the caller's to fix. */
async function asInvalid<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MissingValueError || error instanceof TemplateTooLongError) {
      throw new AppError('invalid', error.message)
    }
    throw error
  }
}

function withInput(said: ModelMessage['content'], userInput: string): ModelMessage['content'] {
  if (typeof said === 'string') return [said, userInput].filter(isFilled).join('\n\n')
  return isFilled(userInput) ? [...said, { type: 'text', text: `\n\n${userInput}` }] : said
}

const isFilled = (text: string): boolean => text.trim() !== ''

function textsOf(turns: RunMessage[], wanted: RunMessage['role']): string[] {
  return turns.filter(({ role }) => role === wanted).map(({ content }) => content)
}
