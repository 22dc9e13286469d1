import {
  type GradeRequest,
  listedPromptRun,
  type PromptRun,
  promptRun,
  type RunDetails,
  type RunStep,
  runStep,
  seenChainRun,
  seenRun,
  type ValueOrigin,
} from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api, apiPage } from '../../lib/api.ts'
import { type TestedRecord, testsRoot } from './test-suites.queries.ts'

export type LastAnswer = GradeRequest['answer']

export interface StoredValue {
  value: string | null
  isPrivate: boolean
}

export interface TestedRun {
  names: string[]
  values: Record<string, string>
  stored: Record<string, StoredValue>
  input: string
  answer: LastAnswer
}

export function testedRunQuery({ record, id }: { record: TestedRecord; id: number }) {
  return queryOptions({
    queryKey: [...testsRoot, 'run', record.kind, record.id, id],
    queryFn: () => (record.kind === 'prompt' ? readPromptRun(record.id, id) : readChainRun(id)),
    gcTime: 0,
  })
}

export async function readLastAnswer({ kind, id }: TestedRecord): Promise<LastAnswer | null> {
  const which = { params: { id }, query: { limit: 20 } }
  const { items } =
    kind === 'prompt'
      ? await apiPage('GET /api/prompts/{id}/executions', { ...which, list: listedPromptRun })
      : await apiPage('GET /api/chains/{id}/executions', { ...which, list: seenChainRun })
  const last = items.find(({ status }) => status === 'completed')
  if (last === undefined) return null
  return kind === 'prompt' ? answerOf(await readPrompt(id, last.id)) : chainAnswerOf(await readRun(last.id))
}

const readPrompt = (promptId: number, id: number) =>
  api('GET /api/prompts/{id}/executions/{executionId}', {
    params: { id: promptId, executionId: id },
    reply: promptRun,
  })
async function readRun(id: number): Promise<RunDetails> {
  const run = await api('GET /api/executions/{id}', { params: { id }, reply: seenRun })
  if (run.sight === 'presence') throw new Error('Only the person who started this run can see it')
  return run
}

async function readPromptRun(promptId: number, id: number): Promise<TestedRun> {
  const [run, rendered] = await Promise.all([readPrompt(promptId, id), readRun(id)])
  const { values, stored } = await valuesOf(rendered)
  return {
    names: [...new Set([...Object.keys(run.resolved ?? {}), ...Object.keys(run.variableValues)])],
    values: { ...values, ...run.variableValues },
    stored,
    input: run.userInput,
    answer: answerOf(run),
  }
}

async function readChainRun(id: number): Promise<TestedRun> {
  const run = await readRun(id)
  const { values, stored } = await valuesOf(run)
  return {
    names: [...Object.keys(values), ...Object.keys(stored)],
    values,
    stored,
    input: run.input,
    answer: chainAnswerOf(run),
  }
}

function answerOf({ aiResponse: text, durationMs: latencyMs, costUsd, finishReason }: PromptRun) {
  return { text, latencyMs, costUsd, finishReason }
}

function chainAnswerOf({ output, durationMs: latencyMs, costUsd, steps }: RunDetails): LastAnswer {
  return { text: output ?? '', latencyMs, costUsd, finishReason: steps.at(-1)?.finishReason ?? null }
}

type Values = Pick<TestedRun, 'values' | 'stored'>

/** The value of each variable of a run, by the first step that refers to it. */
async function valuesOf(run: RunDetails): Promise<Values> {
  const found: Values = { values: {}, stored: {} }
  for (const listed of run.steps) {
    const step = listed.contentClipped ? await readStep({ run, step: listed }) : listed
    for (const [name, origin] of Object.entries(step.resolved)) {
      if (Object.hasOwn(found.values, name) || Object.hasOwn(found.stored, name)) continue
      const value = origin.error === null ? sentFor({ name, step }) : null
      if (origin.type === 'typed') found.values[name] = value ?? ''
      else if (mayRead({ run, origin })) found.stored[name] = { value, isPrivate: origin.isPrivate !== false }
    }
  }
  return found
}

function readStep({ run, step }: { run: RunDetails; step: Pick<RunStep, 'position'> }) {
  return api('GET /api/executions/{id}/steps/{position}', {
    params: { id: run.id, position: step.position },
    reply: runStep,
  })
}

/** Another person's run may be shared only for a while, so its private values are not copied into a test. */
function mayRead({ run, origin }: { run: RunDetails; origin: ValueOrigin }): boolean {
  return run.sight === 'own' || (run.sight === 'texts' && origin.isPrivate === false)
}

function sentFor({ name, step }: { name: string; step: RunStep }): string | null {
  const segment = step.inputSegments.find((segment) => segment.kind === 'variable' && segment.name === name)
  if (segment === undefined || step.inputContent === null) return null
  return step.inputContent.slice(segment.start, segment.end)
}
