import * as z from 'zod'
import { id, timestamp } from './common.ts'
import { EXECUTION_STATUSES, executionStatus, USER_INPUT_MAX, usage } from './executions.ts'
import { modelAlias } from './models.ts'
import { valueOrigins } from './variables.ts'

/** POST /api/chains/{id}/execute; the body may be absent (D28). */
export const executeChainRequest = z
  .strictObject({
    input: z
      .string()
      .max(USER_INPUT_MAX)
      .optional()
      .describe('What {{input}} and {{input_context}} stand for.'),
  })
  .nullish()

const stepStatus = z.enum(['waiting', ...EXECUTION_STATUSES])
export type StepStatus = z.infer<typeof stepStatus>

/** A part of the rendered input that a reference brought; what no segment covers stood in the template. */
const inputSegment = z.object({
  start: z.int().describe('UTF-16 offset in inputContent.'),
  end: z.int(),
  kind: z.enum(['variable', 'output']),
  name: z.string(),
})
export type InputSegment = z.infer<typeof inputSegment>

const executionStep = usage.extend({
  id,
  position: z.int().describe('0 for the first, whatever the positions in the chain were.'),
  status: stepStatus,
  title: z.string(),
  model: modelAlias,
  modelId: z.string().nullable(),
  provider: z.string().nullable(),
  promptId: id.nullable(),
  promptVersion: z.int().nullable().describe('The version that ran; null: the copy in the step (D29).'),
  outputVariableName: z.string().nullable(),
  executedAt: timestamp.nullable(),
  inputContent: z.string().nullable().describe('As it was sent.'),
  inputSegments: z.array(inputSegment),
  resolved: valueOrigins,
  systemPrompt: z.string(),
  aiResponse: z.string().nullable(),
  outputVariableValue: z.string().nullable(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  retries: z.int(),
})
export type ExecutionStep = z.infer<typeof executionStep>

/** A card of GET /api/chains/{id}/executions, newest first. */
export const chainExecutionSummary = usage.extend({
  id,
  chainId: id,
  chainName: z.string().describe('As it was when the run started.'),
  status: executionStatus,
  trigger: z.enum(['manual', 'schedule', 'token']),
  executedAt: timestamp,
  finishedAt: timestamp.nullable(),
  executedBy: z.string(),
  stepCount: z.int(),
  completedSteps: z.int(),
  error: z.string().nullable(),
  canResume: z.boolean(),
})
export type ChainExecutionSummary = z.infer<typeof chainExecutionSummary>

/** GET /api/executions/{id}; for a prompt's run too, with its one step (D31). */
export const execution = chainExecutionSummary.extend({
  kind: z.enum(['prompt', 'chain']),
  chainId: id.nullable(),
  input: z.string(),
  output: z.string().nullable(),
  result: z.object({ output: z.string().nullable() }).nullable().describe('null until completed.'),
  errorCode: z.string().nullable(),
  steps: z.array(executionStep),
})
export type Execution = z.infer<typeof execution>

/** POST execute and resume: the run's id at once; it goes on by itself. */
export const startedExecution = z.object({ id, chainId: id, status: executionStatus, executedAt: timestamp })
export type StartedExecution = z.infer<typeof startedExecution>

/** What a watcher needs of a step: without its texts. */
const stepState = executionStep
  .pick({ position: true, status: true, error: true, retries: true, inputTokens: true, outputTokens: true })
  .extend({ costUsd: z.number().nullable(), durationMs: z.int().nullable() })
export type StepState = z.infer<typeof stepState>

/** GET /api/executions/{id}/status */
export const executionState = z.object({
  id,
  status: executionStatus,
  error: z.string().nullable(),
  canResume: z.boolean(),
  steps: z.array(stepState),
})
export type ExecutionState = z.infer<typeof executionState>

/** Events of GET /api/executions/{id}/events. `state` comes first and after each change; `end` is the last. */
export const executionWatchEvents = {
  state: executionState,
  /** `from` is where the piece begins in the step's answer: a reader that missed some asks for the run. */
  delta: z.object({ position: z.int(), from: z.int(), text: z.string() }),
  end: z.object({ status: executionStatus }),
}
