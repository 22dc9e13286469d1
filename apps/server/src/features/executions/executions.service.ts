import {
  type ExecutePromptReply,
  type ListExecutionsQuery,
  type PromptExecution,
  type RunPromptRequest,
  type User,
  type ValueOrigin,
  valueOrigins,
} from '@catenary/contracts'
import { extractVariables, nanosToUsd, TemplateTooLongError } from '@catenary/domain'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../platform/errors.ts'
import type { PromptsService } from '../prompts/prompts.service.ts'
import type { VariablesService } from '../variables/variables.service.ts'
import type { Engine, StartedPromptRun } from './engine.service.ts'
import { visibleExecutionsOf } from './executions.policy.ts'
import { deletePromptRuns, listPromptRuns, type PromptRunRow } from './executions.repository.ts'
import type { RunFailure } from './run-ending.ts'
import { renderStepInput, type StepInput } from './step-input.ts'

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

export type ExecutionsService = ReturnType<typeof createExecutionsService>

export interface ExecutionsDeps {
  db: Database
  engine: Engine
  prompts: Pick<PromptsService, 'find'>
  variables: Pick<VariablesService, 'resolve'>
}

export function createExecutionsService({ db, engine, prompts, variables }: ExecutionsDeps) {
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
    async startPrompt({
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
      const run = await engine.startPrompt({
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

    /** Runs of a prompt, newest first: one's own; for an admin everyone's (D20). */
    async listByPrompt({
      user,
      query,
    }: {
      user: User
      query: ListExecutionsQuery
    }): Promise<PromptExecution[]> {
      await prompts.find({ id: query.promptId, user })
      const rows = await listPromptRuns(db, { ...query, userId: visibleExecutionsOf(user) })
      return rows.map(toPromptExecution)
    },

    /** Clears the person's own history of a prompt. */
    async deleteByPrompt({ promptId, user }: { promptId: number; user: User }): Promise<void> {
      await prompts.find({ id: promptId, user })
      await engine.cancel(await deletePromptRuns(db, { promptId, userId: user.id }))
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

function toPromptExecution({ execution, step, executedBy }: PromptRunRow): PromptExecution {
  return {
    id: execution.id,
    promptId: execution.promptId,
    promptVersion: step.promptVersion,
    status: execution.status,
    model: step.model,
    modelId: step.modelId,
    provider: step.provider,
    executedAt: execution.executedAt.toISOString(),
    template: step.template,
    variableValues: execution.variableValues,
    executedPromptContent: step.inputContent ?? '',
    resolved: valueOrigins.safeParse(step.resolved).data ?? {},
    userInput: execution.userInput,
    systemPrompt: step.systemPrompt,
    aiResponse: step.aiResponse ?? '',
    error: execution.error,
    executedBy,
    inputTokens: step.inputTokens,
    outputTokens: step.outputTokens,
    costUsd: nanosToUsd(step.costNanos),
    durationMs: step.durationMs,
  }
}
