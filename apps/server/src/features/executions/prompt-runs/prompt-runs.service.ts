import type { ExecutePromptReply, RunPromptRequest, User, ValueOrigin } from '@catenary/contracts'
import { extractVariables, nanosToUsd, TemplateTooLongError } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { PromptsService } from '../../prompts/prompts.service.ts'
import type { VariablesService } from '../../variables/variables.service.ts'
import type { RunFailure } from '../engine/run-ending.ts'
import { renderStepInput, type StepInput } from '../engine/step-input.ts'
import type { PromptRunner, StartedPromptRun } from './prompt-runner.service.ts'

export interface PromptRun {
  executionId: number
  /** The answer as it is written. */
  text: AsyncIterable<string>
  /** Throws `upstream` when the model failed. */
  reply: () => Promise<ExecutePromptReply>
}

interface StartedRun {
  run: StartedPromptRun
  resolved: Record<string, ValueOrigin>
}

interface Rendering {
  source: string
  typed: Map<string, string>
  user: User
  signal: AbortSignal | undefined
}

export type PromptRunsService = ReturnType<typeof createPromptRunsService>

export interface PromptRunsDeps {
  promptRunner: Pick<PromptRunner, 'start'>
  prompts: Pick<PromptsService, 'find'>
  variables: Pick<VariablesService, 'resolve'>
}

/** The door to the engine for whoever runs a prompt. */
export function createPromptRunsService({ promptRunner, prompts, variables }: PromptRunsDeps) {
  /** The text that is sent and where each value came from (D21, D22, D27). */
  async function render({ source, typed, user, signal }: Rendering): Promise<StepInput> {
    const used = extractVariables(source)
    const stored = await variables.resolve({ names: used.filter((name) => !typed.has(name)), user, signal })
    const given = used.flatMap((name) => {
      const value = typed.get(name)
      return value === undefined ? [] : [[name, { value, origin: typedNow() }] as const]
    })
    try {
      return renderStepInput({ source, variables: new Map([...stored, ...given]) })
    } catch (error) {
      if (error instanceof TemplateTooLongError) throw new AppError('invalid', error.message)
      throw error
    }
  }

  return {
    /** Starts a run of a prompt; `signal` is how the person stops it. */
    async start({
      user,
      request,
      signal,
    }: {
      user: User
      request: RunPromptRequest
      signal?: AbortSignal
    }): Promise<PromptRun> {
      const prompt = await prompts.find({ id: request.promptId, user })
      if (!prompt.canExecute) throw new AppError('forbidden', 'You may not execute this prompt')
      if (!prompt.isActive)
        throw new AppError('conflict', 'This prompt is inactive. Activate it to execute it.')
      const typed = new Map(Object.entries({ ...request.variables, ...request.variableValues }))
      const edited = request.template === prompt.content ? undefined : request.template
      const { text, segments, resolved } =
        request.processedContent === undefined
          ? await render({ source: edited ?? prompt.content, typed, user, signal })
          : { text: request.processedContent, segments: [], resolved: {} }
      const { model, userInput = '', systemPrompt = '' } = request
      const run = await promptRunner.start({
        record: {
          userId: user.id,
          promptId: prompt.id,
          promptVersion: prompt.version,
          title: prompt.title,
          model,
          userInput,
          variableValues: Object.fromEntries(typed),
          systemPrompt,
          template: edited ?? null,
          inputContent: text,
          inputSegments: segments,
          resolved,
        },
        call: {
          alias: model,
          prompt: userInput.trim() === '' ? text : `${text}\n\n${userInput}`,
          ...(systemPrompt.trim() === '' ? {} : { system: systemPrompt }),
        },
        signal,
      })
      return { executionId: run.executionId, text: run.text.read(), reply: () => toReply({ run, resolved }) }
    },
  }
}

function typedNow(): ValueOrigin {
  const at = new Date().toISOString()
  return { type: 'typed', variableId: null, revision: null, source: null, at, cachedAt: null, error: null }
}

async function toReply({ run, resolved }: StartedRun): Promise<ExecutePromptReply> {
  const outcome = await run.outcome
  if (outcome.status !== 'completed') throw toError(outcome)
  const { text, requestedAlias, modelId, provider, inputTokens, outputTokens, costNanos, durationMs } =
    outcome.result
  return {
    executionId: run.executionId,
    result: text,
    model: requestedAlias,
    modelId,
    provider,
    inputTokens,
    outputTokens,
    costUsd: nanosToUsd(costNanos),
    durationMs: Math.round(durationMs),
    resolved,
  }
}

function toError({ message, code }: RunFailure): AppError {
  if (code === 'internal') return new AppError('unavailable', message)
  return new AppError('upstream', message, { details: code })
}
