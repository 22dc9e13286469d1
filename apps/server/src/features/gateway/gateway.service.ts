import { AppError } from '../../errors.ts'
import type { CalledRun, RunOutcome, Runs } from '../runs/runs.ts'
import type { Grant, TokenGrants, TokenUses } from '../tokens/tokens.ts'
import type { Choice } from './best-chain.service.ts'
import { type GatewayAnswer, toAnswer } from './gateway-answer.ts'
import { GatewayError } from './gateway-error.ts'
import type { IdempotentCalls } from './idempotent-calls.service.ts'
import { modelNamesOf, readModelName } from './model-names.ts'
import type { NamedChain, NamedChains } from './named-chains.service.ts'
import type { PromptCalls } from './prompt-calls.service.ts'
import { answerOf, eventsOfText } from './reply-events.ts'
import { answerUtilityPrompt } from './utility-prompts.ts'
import type { ListedModel } from './wires/models.ts'
import type { ChainRequest, ReplyHead } from './wires/wire.ts'

/** Where prompts are run by their names. */
const PROMPT_PATH = '/v1/responses'
/** How deeply calls of this server may be nested. */
const LEVELS = 3

export interface GatewayDeps {
  grants: TokenGrants
  uses: TokenUses
  chainRuns: Runs['chainRuns']
  namedChains: NamedChains
  idempotentCalls: IdempotentCalls
  promptCalls: PromptCalls
  now: () => Date
}

/** A call of the compatible API, once its vendor's form is read. */
export interface GatewayCall {
  token: string | undefined
  request: ChainRequest
  path: string
  /** How many calls of this server stand around it. */
  depth: number
  /** Idempotency-Key: the run goes on without its caller, and a repeated call follows it (D46). */
  key: string | undefined
  /** x-catenary-resume: the failed run that it goes on with (D63). */
  resumed: number | undefined
  /** The id of the request, for replies without a run. */
  requestId: string
  /** Aborts when the caller leaves. */
  signal: AbortSignal
}

export type GatewayService = ReturnType<typeof createGatewayService>

/** Chains as models: callers with a token use a vendor's API. */
export function createGatewayService({
  grants,
  uses,
  chainRuns,
  namedChains,
  idempotentCalls,
  promptCalls,
  now,
}: GatewayDeps) {
  function headOf(head: Omit<ReplyHead, 'createdAt'>): ReplyHead {
    return { ...head, createdAt: now() }
  }

  /** An answer in words that no chain wrote. */
  function answerDirectly({
    call,
    text,
    choice,
  }: {
    call: GatewayCall
    text: string
    choice?: Choice
  }): GatewayAnswer {
    const { request, requestId } = call
    const head = { id: requestId, model: request.model, request, bestChain: choice?.reply }
    return {
      head: headOf(head),
      executionId: undefined,
      whole: async () => answerOf(text),
      events: () => eventsOfText(text),
    }
  }

  function countOutcome({ tokenId }: Grant, outcome: RunOutcome): void {
    const isDone = outcome.status === 'completed'
    const { inputTokens, outputTokens, costNanos } = (isDone ? outcome.answer : outcome.used) ?? nothing
    const failed = isDone || outcome.status === 'cancelled' ? undefined : outcome
    uses.add({
      tokenId,
      calls: 1,
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      costNanos: costNanos ?? 0,
      error: failed && { message: failed.message, code: failed.code },
    })
  }

  /** Without an Idempotency-Key a run ends with its caller (D46). */
  async function start({ call, grant, failed, ...chain }: StartedCall) {
    const { request, path, depth, key, resumed, signal } = call
    const wanted = {
      user: grant.user,
      ...chain,
      input: request.messages,
      transcript: request.transcript,
      bounds: request.bounds,
      trigger: 'token' as const,
      apiTokenId: grant.tokenId,
      apiCall: { path, ignored: request.ignored, depth },
    }
    const begin = (
      own: Pick<Parameters<typeof chainRuns.goOn>[0], 'attached' | 'inClaim'> & { id?: number },
    ) =>
      failed === undefined
        ? chainRuns.start({ ...wanted, ...own })
        : chainRuns.goOn({ ...wanted, ...own, run: failed })
    if (key === undefined) return { run: await begin({ attached: signal }), isFirst: true }
    return idempotentCalls.start({
      call: { request, path, key, resumed },
      ...{ tokenId: grant.tokenId, chainId: chain.chainId },
      executionId: failed?.id ?? (await chainRuns.reserveId()),
      begin,
    })
  }

  /** The chain that the call is for; of a call that goes on with a failed run, that one's. */
  async function findChain({ call, grant }: { call: GatewayCall; grant: Grant }) {
    const { resumed: id, request } = call
    if (id === undefined) return namedChains.find({ grant, ...call })
    const failed = await chainRuns.findCalled({ id, tokenId: grant.tokenId })
    return { ...(await namedChains.findOfRun({ grant, request, run: failed })), failed }
  }

  function answerOfRun({ call, grant, run, choice }: AnswerOfRun): GatewayAnswer {
    const { request } = call
    const { chainId: id, chainLabel: label } = run
    const [name = ''] = modelNamesOf({ id, ...(label !== null && { label }) })
    const model = readModelName(request.model).chainId === undefined ? name : request.model
    const head = { id: `${run.id}`, model, request, bestChain: choice?.reply }
    const progress = grant.showsProgress ? { steps: run.steps, titles: run.titles } : undefined
    return toAnswer({ head: headOf(head), run, progress })
  }

  /** What the run of the call's key says, which another call began and counts. */
  function answerOfRepeated({
    release,
    ...answered
  }: Omit<AnswerOfRun, 'choice'> & { release: () => void }): GatewayAnswer {
    void answered.run.outcome.then(release)
    return answerOfRun({ ...answered, choice: undefined })
  }

  async function answerByPrompt({
    call,
    grant,
    release,
  }: {
    call: GatewayCall
    grant: Grant
    release: () => void
  }): Promise<GatewayAnswer> {
    const { run, model, request } = await promptCalls.start({ ...call, grant })
    void run.outcome.then((ended) => {
      release()
      countOutcome(grant, ended)
    })
    return toAnswer({ head: headOf({ id: `${run.id}`, model, request, bestChain: undefined }), run })
  }

  return {
    /** Answers a request by a chain; what is met before the chain starts is thrown. */
    async answer(call: GatewayCall): Promise<GatewayAnswer> {
      const { grant, release } = await grants.enter(call.token)
      try {
        if (call.depth >= LEVELS)
          throw new GatewayError(
            'invalid',
            `Chains that call this server stand within each other ${LEVELS} deep at most.`,
          )
        if (grant.type === 'read' || call.request.prompt !== undefined) {
          return await answerByPrompt({ call, grant, release })
        }
        const job = grant.answersHelperJobs ? answerUtilityPrompt(call.request.messages) : undefined
        if (job !== undefined) {
          uses.add({ tokenId: grant.tokenId, savedCalls: 1 })
          release()
          return answerDirectly({ call, text: job })
        }
        const repeated = await idempotentCalls.follow({ call, tokenId: grant.tokenId })
        if (repeated !== undefined) return answerOfRepeated({ call, grant, release, run: repeated })
        const found = await findChain({ call, grant }).catch(async (error: unknown) => {
          // Another call with the key may have gone on with the run meanwhile.
          const begun = await idempotentCalls.follow({ call, tokenId: grant.tokenId })
          if (begun === undefined) throw error
          return { begun }
        })
        if ('begun' in found) return answerOfRepeated({ call, grant, release, run: found.begun })
        const { choice, ...chain } = found
        if (chain.chainId === undefined) {
          await choice?.record(null)
          release()
          return answerDirectly({ call, text: choice?.question ?? '', ...(choice && { choice }) })
        }
        const { run, isFirst } = await start({ call, grant, ...chain })
        void run.outcome.then((ended) => {
          release()
          if (isFirst) countOutcome(grant, ended)
        })
        if (isFirst) await choice?.record(run.id)
        return answerOfRun({ call, grant, run, choice })
      } catch (error) {
        release()
        const { message, kind } = toCounted(error)
        uses.add({ tokenId: grant.tokenId, error: { message, code: kind } })
        throw error
      }
    },

    /** Throws unless the token is valid there: a call without one learns nothing about its request. */
    async requireToken(token: string | undefined, { path }: { path: string }): Promise<void> {
      const { type } = await grants.open(token)
      if (type === 'read' && path !== PROMPT_PATH) {
        throw new GatewayError('forbidden', `A read token runs prompts at ${PROMPT_PATH}, and no chains.`)
      }
    },

    /** The chain that would be asked, without asking it. */
    async route({
      token,
      request,
      signal,
    }: Pick<GatewayCall, 'token' | 'request' | 'signal'>): Promise<Choice> {
      const { grant, release } = await grants.enter(token)
      try {
        if (grant.type !== 'best') throw new GatewayError('forbidden', 'Only a Best Chain token chooses.')
        const { choice } = await namedChains.find({ grant, request, signal })
        if (choice === undefined)
          throw new GatewayError('not_found', 'This token reaches no chain that has steps.')
        await choice.record(null)
        return choice
      } finally {
        release()
      }
    },

    /** What the token reaches, under each of its names. */
    listModels: async (token: string | undefined): Promise<ListedModel[]> =>
      namedChains.listModels(await grants.open(token)),

    findModel: async (token: string | undefined, name: string): Promise<ListedModel> =>
      namedChains.findModel(await grants.open(token), name),
  }
}

interface StartedCall extends NamedChain {
  call: GatewayCall
  grant: Grant
  failed?: CalledRun
}

type StartedRun = Awaited<ReturnType<Runs['chainRuns']['start']>>

interface AnswerOfRun {
  call: GatewayCall
  grant: Grant
  run: Omit<StartedRun, 'executedAt'>
  choice: Choice | undefined
}

const nothing = { inputTokens: 0, outputTokens: 0, costNanos: 0 }

function toCounted(error: unknown): { message: string; kind: string } {
  if (error instanceof GatewayError) return error
  if (error instanceof AppError) return { message: error.message, kind: error.code }
  return { message: 'Something went wrong on the server', kind: 'internal' }
}
