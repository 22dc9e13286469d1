import type {
  ChainStep,
  NamedBy,
  PromptSettings,
  StopsWhenCut,
  StopsWithoutValue,
  User,
} from '@catenary/contracts'
import { outputsBefore } from '@catenary/domain'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type AppContext, type SqlContext, transaction } from '../../platform/context.ts'
import { readLinkedTexts } from '../prompts/prompts.ts'
import {
  canExecuteRecord,
  findChainVersion,
  type OthersText,
  othersNamesOf,
  stepSettingsOf,
  textNames,
  type VersionChoice,
} from '../records/records.ts'
import { findVisible } from './chain-access.ts'
import type { StepRecord } from './chain-rows.sql.ts'
import { readSteps } from './chain-steps.sql.ts'
import { visibilityEpochOf } from './chains.policy.ts'
import { lockLabel } from './chains.sql.ts'
import { SNAPSHOT } from './read-chains.ts'

export interface RunnableChain {
  id: number
  name: string
  version: number
  ownerId: number
  stopsWithoutValue: StopsWithoutValue
  stopsWhenCut: StopsWhenCut
  visibilityEpoch: number | null
  steps: RunnableStep[]
}

interface RunnableStep extends Omit<ChainStep, 'position' | 'linkedPrompt' | 'othersNames'> {
  /** Names in its texts that its runner did not bring in, by the record that they stand in (D69). */
  others: OthersText[]
  /** The version of the linked prompt whose text this is; null: the step's own text (D29). */
  promptVersion: number | null
}

/** For each step, the version of its linked prompt that runs, even if the link has moved; null: the step's own text. */
export type FrozenLinks = (number | null)[]

/** With neither label nor version: the chain as it is. */
export interface WantedChain extends VersionChoice {
  id: number
  user: User
  /** Found when the same version was opened before; without them the links lead where they do now. */
  frozenLinks?: FrozenLinks | undefined
}

/**
 * The chain, or a version of it, as this person may run it now. Throws `not_found`, also for a missing label or
 * version, and `conflict` without steps, or if one of them is missing.
 */
export function openChainForRun(
  ctx: AppContext,
  { id, user, frozenLinks, ...choice }: WantedChain,
): Promise<RunnableChain> {
  return transaction(
    ctx,
    async (ctx) => {
      const chain = await findVisible(ctx, { id, user })
      if (!canExecuteRecord(user, chain)) throw new AppError('forbidden', 'You can’t run this chain')
      const { number, stopsWithoutValue, stopsWhenCut, steps } = isChosen(choice)
        ? await findChainVersion(ctx, { chainId: id, ...choice })
        : { ...chain, number: chain.version, steps: await readSteps(ctx.db, id) }
      if (steps.length === 0) {
        throw new AppError('conflict', 'This chain has no steps. Add a step to execute it.')
      }
      const { name, ownerId } = chain
      const runnable = await toRunnable(ctx, { steps, chainId: id, runner: user, frozenLinks })
      const visibilityEpoch = visibilityEpochOf(chain)
      const stops = { stopsWithoutValue, stopsWhenCut }
      return { id, name, version: number, ownerId, ...stops, visibilityEpoch, steps: runnable }
    },
    SNAPSHOT,
  )
}

interface Frozen {
  steps: StepRecord[]
  chainId: number
  runner: User
  frozenLinks?: FrozenLinks | undefined
}

async function toRunnable(
  ctx: SqlContext,
  { steps, chainId, runner, frozenLinks }: Frozen,
): Promise<RunnableStep[]> {
  const wanted = frozenLinks === undefined ? steps : steps.map((step, index) => pin(step, frozenLinks[index]))
  const textOf = await readLinkedTexts(ctx, { links: wanted, viewer: runner })
  const ofChain = { kind: 'chain', id: chainId, userId: runner.id } as const
  const outputs = outputsBefore(wanted)
  return wanted.map((step, index) => {
    const { position: _, namedBy, ...fields } = step
    const isOutput = outputs[index]
    const text = textOf(step)
    const isLost = text === null && frozenLinks?.[index] != null
    if (text === undefined || isLost) throw linkIsGone({ step, number: index + 1 })
    if (text === null) {
      const others = [othersIn({ ...ofChain, namedBy, text: { ...fields, settings: fields, isOutput } })]
      return { ...fields, others, promptVersion: null }
    }
    const { id, title, content, version, settings, namedBy: ofPrompt = {} } = text
    const of = { kind: 'prompt', id, userId: runner.id, namedBy: ofPrompt } as const
    const others = [
      othersIn({ ...of, text: { content, settings: settings ?? null } }),
      othersIn({ ...ofChain, namedBy, text: { content: '', settings: fields, isOutput } }),
    ]
    return { ...withSettingsOf(fields, settings), others, title, content, promptVersion: version }
  })
}

interface NamedText extends Omit<OthersText, 'names'> {
  userId: number
  namedBy: NamedBy
  text: Parameters<typeof textNames>[0]
}

function othersIn({ kind, id, text, ...who }: NamedText): OthersText {
  return { kind, id, names: othersNamesOf(textNames(text), who) }
}

/** What the step does not set, its prompt does; models are the step's own. */
function withSettingsOf<Step extends Omit<StepRecord, 'position' | 'namedBy'>>(
  step: Step,
  settings: PromptSettings | null = null,
): Step {
  if (settings === null) return step
  const {
    effort,
    stop,
    output,
    messages,
    systemPrompt = null,
    temperature = null,
    maxTokens = null,
  } = settings
  return {
    ...stepSettingsOf({ effort, stop, output, messages }),
    ...step,
    systemPrompt: step.systemPrompt || systemPrompt,
    temperature: step.temperature ?? temperature,
    maxTokens: step.maxTokens ?? maxTokens,
  }
}

interface WantedLabel {
  chainId: number | null
  chainLabel: string | null | undefined
}

export async function requireLabel(
  { db }: SqlContext<Transaction>,
  { chainId, chainLabel: label }: WantedLabel,
): Promise<void> {
  if (chainId === null || label === null || label === undefined) return
  if (await lockLabel(db, { chainId, label })) return
  throw fieldError('chainLabel', `This chain has no label “${label}”`)
}

const isChosen = ({ label, version }: VersionChoice) => label != null || version != null

function pin(step: StepRecord, version: number | null = null): StepRecord {
  const promptId = version === null ? null : step.promptId
  return { ...step, promptId, promptLabel: null, promptVersion: version }
}

function linkIsGone({ step, number }: { step: StepRecord; number: number }): AppError {
  const { title, promptLabel, promptVersion } = step
  const named = title === '' ? `Step ${number}` : `Step ${number} “${title}”`
  const wanted = promptLabel === null ? `version ${promptVersion}` : `the label “${promptLabel}”`
  return new AppError(
    'conflict',
    `${named} runs ${wanted} of its prompt, which no longer exists. Choose another one in the step.`,
  )
}
