import type { EvaluationTargetRequest, User } from '@catenary/contracts'
import type { Executor } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { ChainsService, RunnableChain } from '../chains/chains.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import { findRecordRights, type RecordPorts, type RecordRights } from '../records/records.ts'
import type { EstimatedTarget } from './estimates.service.ts'
import type { TestedRecord } from './evaluations.repository.ts'

interface TestedRecordsDeps {
  prompts: Pick<PromptsService, 'find' | 'findVersion'>
  chains: Pick<ChainsService, 'openForRun'>
  records: RecordPorts
}

/** What is opened, by whom. */
interface Opening {
  id: number
  user: User
  canEdit: boolean
}

export type TestedRecords = ReturnType<typeof createTestedRecords>

/** The records under test: rights, and the texts of their versions. */
export function createTestedRecords({ prompts, chains, records }: TestedRecordsDeps) {
  async function openPrompt(
    { id, user }: Opening,
    { version, model }: EvaluationTargetRequest,
  ): Promise<EstimatedTarget> {
    if (model === null) throw fieldError('targets', 'Choose a model for each version of a prompt')
    const prompt = await prompts.find({ id, user })
    if (!prompt.canExecute) throw new AppError('forbidden', 'You may not execute this prompt')
    if (!prompt.isActive) throw new AppError('conflict', 'This prompt is inactive. Activate it to test it.')
    const text =
      version === prompt.version ? prompt : await prompts.findVersion({ id, number: version, user })
    return { version, model, texts: [{ content: text.content, model }], settings: null }
  }

  async function openChain(
    { id, user, canEdit }: Opening,
    { version, model }: EvaluationTargetRequest,
  ): Promise<EstimatedTarget> {
    if (model !== null) throw fieldError('targets', 'The steps of a chain name their own models')
    // Older versions may be from before the chain was public.
    if (!canEdit && version !== (await chains.openForRun({ id, user })).version) {
      throw new AppError('forbidden', 'You may not run older versions of this chain')
    }
    const { steps, stopsWithoutValue } = await chains.openForRun({ id, user, version })
    return {
      ...{ version, model },
      texts: steps.map(({ content, systemPrompt, model }) => ({
        content: `${systemPrompt ?? ''}${content}`,
        model,
      })),
      settings: [stopsWithoutValue, steps.map(settingsOf)],
      frozenLinks: steps.map(({ promptVersion }) => promptVersion),
    }
  }

  return {
    /** What the person may do with it now; nothing where it is gone or they don't see it. */
    rightsOf: (executor: Executor, record: TestedRecord, user: User): Promise<RecordRights> =>
      findRecordRights(records, executor, { ...record, user }),

    /** The targets with their texts, as this person may run them. */
    async openTargets({
      record: { kind, id },
      user,
      canEdit,
      targets,
    }: Omit<Opening, 'id'> & { record: TestedRecord; targets: EvaluationTargetRequest[] }): Promise<
      EstimatedTarget[]
    > {
      const names = targets.map(({ version, model }) => `${version} ${model}`)
      if (new Set(names).size < names.length) throw fieldError('targets', 'Each version and model comes once')
      const open = { prompt: openPrompt, chain: openChain }
      const opened: EstimatedTarget[] = []
      for (const target of targets) {
        opened.push(await open[kind]({ id, user, canEdit }, target))
      }
      return opened
    },
  }
}

/** What the result of a step depends on besides its text and model. */
const settingsOf = ({
  systemPrompt,
  fallbackModel,
  outputVariableName,
  temperature,
  maxTokens,
}: RunnableChain['steps'][number]) => ({
  ...{ systemPrompt, fallbackModel, outputVariableName, temperature, maxTokens },
})
