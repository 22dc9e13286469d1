import type { User } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { ModelResult } from '../../../platform/models/model-types.ts'
import type { Models } from '../../../platform/models/models.ts'
import type { VariablesService } from '../../variables/variables.service.ts'
import { type ActiveRun, RunStopped } from '../engine/active-runs.ts'
import { callModel, toStepRow } from '../engine/call-model.ts'
import type { Engine } from '../engine/engine.service.ts'
import { releaseChainRuns } from '../engine/leases.repository.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { EmptyInputError, stopReason, toFailure } from '../engine/run-ending.ts'
import { renderStepInput, type StepInput } from '../engine/step-input.ts'
import { batchWrites } from '../engine/write-batches.ts'
import { outlastOutage } from './database-outage.ts'
import {
  type Claim,
  type CompletedStep,
  endChainRun,
  prepareStoreLastSteps,
  prepareStoreSteps,
  type StepEnd,
} from './step-ends.repository.ts'

/** What is left of a chain's run. */
export interface ChainPlan {
  /** Whose rights and variables count. */
  user: User
  /** Values of the double-brace references: the input, and the outputs so far. */
  outputs: Map<string, string>
  steps: PlannedStep[]
}

export interface ChainRunnerDeps {
  db: Database
  engine: Pick<Engine, 'writesTogether' | 'closing'>
  models: Models
  variables: Pick<VariablesService, 'resolve'>
  log: Log
}

interface RunToGo {
  run: ActiveRun
  plan: ChainPlan
  /** Settles once the run is recorded; the first model call does not wait for it. */
  claimed: Promise<Claim>
}

interface StepUnderWay {
  step: PlannedStep
  startedAt: Date
  input?: StepInput
}

export type ChainRunner = ReturnType<typeof createChainRunner>

/** Takes a claimed run through its steps, each stored as it completes. */
export function createChainRunner({ db, engine, models, variables, log }: ChainRunnerDeps) {
  const { writesTogether, closing } = engine
  const storeStep = batchWrites(prepareStoreSteps(db), { size: writesTogether })
  const storeLastStep = batchWrites(prepareStoreLastSteps(db), { size: writesTogether })
  const outlast = <T>(operation: () => Promise<T>): Promise<T> => outlastOutage(operation, { closing })

  async function renderInput({ step, plan, run }: RunToGo & { step: PlannedStep }): Promise<StepInput> {
    const { template: source } = step
    const { user, outputs } = plan
    const names = extractVariables(source)
    const resolve = () => variables.resolve({ names, user, signal: run.signal })
    const values = names.length === 0 ? new Map() : await outlast(resolve)
    const input = renderStepInput({ source, variables: values, outputs })
    if (input.text.trim() === '') throw new EmptyInputError('This step has no text to send')
    return input
  }

  function call({ step, input, run }: { step: PlannedStep; input: StepInput; run: ActiveRun }) {
    const { model, systemPrompt, temperature, maxTokens, position } = step
    return callModel({
      models,
      run,
      call: {
        alias: model,
        prompt: input.text,
        signal: run.signal,
        repeatable: true,
        onRetry: ({ retry }) => void run.begin({ position, retries: retry }),
        ...(systemPrompt.trim() === '' ? {} : { system: systemPrompt }),
        ...(temperature === null ? {} : { temperature }),
        ...(maxTokens === null ? {} : { maxTokens }),
      },
    })
  }

  /** Throws when the run is another worker's by now. */
  async function store({ plan, claimed, completed }: RunToGo & { completed: CompletedStep }): Promise<void> {
    const claim = await claimed
    const write = completed.step === plan.steps.at(-1) ? storeLastStep : storeStep
    const isStored = await outlast(() => write({ ...claim, ...completed }))
    if (!isStored) throw new RunStopped('lost')
  }

  async function runStep({ underWay, ...toGo }: RunToGo & { underWay: StepUnderWay }): Promise<void> {
    const { step } = underWay
    const { run, plan } = toGo
    run.begin({ position: step.position })
    run.signal.throwIfAborted()
    const input = await renderInput({ ...toGo, step })
    underWay.input = input
    const result = await call({ step, input, run })
    await store({ ...toGo, completed: { ...toStepEnd({ underWay, result }), ...toStepRow(result) } })
    plan.outputs.set(step.outputVariableName, result.text)
  }

  /** Stores why a run ended before its end, or gives it back. */
  async function endEarly({ run, claimed, error, underWay }: EarlyEnd): Promise<void> {
    const claim = await claimed
    const stopped = error instanceof RunStopped ? error.reason : stopReason(run.signal)
    if (stopped === 'lost') return
    if (stopped === 'server') {
      await releaseChainRuns(db, [{ id: claim.executionId, attempt: claim.attempt }])
      return
    }
    const { status, message, code } = toFailure({ error, signal: run.signal })
    if (code === 'internal') log.error({ err: error, ...claim }, 'a step failed')
    const end = { ...toStepEnd({ underWay }), aiResponse: run.text, retries: run.step?.retries ?? 0 }
    const ended = { ...claim, status, error: message, errorCode: code }
    await outlast(() => db.transaction((tx) => endChainRun(tx, { ...ended, end }))).catch(
      (cause: unknown) => {
        log.error({ err: cause, ...claim }, 'the end of a step could not be stored')
        return outlast(() => db.transaction((tx) => endChainRun(tx, ended)))
      },
    )
  }

  /** Runs what is left; resolves when its end is stored or it was given back, and never rejects. */
  return async function runChain(toGo: RunToGo): Promise<void> {
    const { run, plan, claimed } = toGo
    for (const step of plan.steps) {
      const underWay: StepUnderWay = { step, startedAt: new Date() }
      try {
        await runStep({ ...toGo, underWay })
      } catch (error) {
        await endEarly({ run, claimed, error, underWay }).catch((cause: unknown) =>
          // Nobody extends its lease from here on: a worker takes it over.
          log.error({ err: cause }, 'the end of a run could not be stored'),
        )
        return
      }
    }
  }
}

interface EarlyEnd extends Pick<RunToGo, 'run' | 'claimed'> {
  error: unknown
  underWay: StepUnderWay
}

function toStepEnd({ underWay, result }: { underWay: StepUnderWay; result?: ModelResult }) {
  const { step, startedAt, input } = underWay
  return {
    step,
    startedAt,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    resolved: input?.resolved ?? {},
    aiResponse: result?.text ?? '',
    retries: result?.retries ?? 0,
    durationMs: Date.now() - startedAt.getTime(),
  } satisfies StepEnd
}
