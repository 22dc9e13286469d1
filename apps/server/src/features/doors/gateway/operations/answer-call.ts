import type { Context } from '../../../../platform/context.ts'
import { findCalledRun, followAskedRun } from '../../../runs/runs.ts'
import { addUse, type Grant } from '../../../tokens/tokens.ts'
import type { Choice } from '../best-chain.ts'
import { type ChainCall, endWithRun, limitedCall, startChainCall } from '../chain-calls.ts'
import { answerInWords, type GatewayAnswer, toAnswer } from '../gateway-answer.ts'
import { GatewayError, refused } from '../gateway-error.ts'
import { followCall } from '../idempotent-calls.ts'
import { nameOfChain } from '../model-names.ts'
import { startPromptCall } from '../prompt-calls.ts'
import { answerUtilityPrompt } from '../utility-prompts.ts'
import type { ChainRequest } from '../wires/wire.ts'
import { findChain, findChainOfRun } from './find-chain.ts'
import { runsChains } from './reachable-chains.ts'

const PROMPT_PATH = '/v1/responses'
/** How deeply calls of this server may be nested. */
export const LEVELS = 3

interface GatewayCall extends ChainCall {
  request: ChainRequest
  /** Name and version of the program, as it says; may be empty. */
  client: string
  /** The id of the request, for replies without a run. */
  requestId: string
}

interface Entered {
  call: GatewayCall
  /** Ends the call for the token's limits. */
  release: () => void
}

export function requireRuns(grant: Grant, path: string): void {
  const { abilities } = grant
  if (!abilities.has('run') && !abilities.has('read')) {
    throw new GatewayError(
      'forbidden',
      abilities.has('agent')
        ? 'A token for agents connects to POST /mcp.'
        : abilities.has('hook')
          ? 'A chain’s own address is called at POST /hooks/….'
          : 'A folder token reads and writes folders; it can’t run anything here.',
    )
  }
  if (!runsChains(grant) && path !== PROMPT_PATH) {
    throw new GatewayError('forbidden', `A read token runs prompts at ${PROMPT_PATH}, but no chains.`)
  }
}

/** Answers a request by a chain or a prompt; throws what goes wrong before its run starts. */
export const answerCall = (ctx: Context, call: GatewayCall): Promise<GatewayAnswer> =>
  limitedCall(ctx, { grant: call.grant }, (release) => answer(ctx, { call, release }))

async function answer(ctx: Context, entered: Entered): Promise<GatewayAnswer> {
  const { call, release } = entered
  const { grant } = call
  if (call.depth >= LEVELS) {
    throw new GatewayError('invalid', `Chains can call this server at most ${LEVELS} levels deep.`)
  }
  if (call.request.background && call.resumed !== undefined) {
    throw refused('background', 'not supported with x-catenary-resume: the answer comes with the reply')
  }
  if (!runsChains(grant) || call.request.prompt !== undefined) return answerByPrompt(ctx, entered)
  const mayBeJob = grant.answersHelperJobs && !call.request.background
  const job = mayBeJob ? answerUtilityPrompt(call.request.messages) : undefined
  if (job === undefined) return answerByChain(ctx, entered)
  addUse(ctx, { tokenId: grant.tokenId, savedCalls: 1 })
  release()
  return answerDirectly(ctx, { call, text: job, choice: undefined })
}

async function answerByPrompt(ctx: Context, { call, release }: Entered): Promise<GatewayAnswer> {
  const { run, model, request } = await startPromptCall(ctx, call)
  endWithRun(ctx, { ...call, run, release, isFirst: true })
  const head = { id: `${run.id}`, model, request, createdAt: ctx.now(), bestChain: undefined }
  return toAnswer({ head, run })
}

async function answerByChain(ctx: Context, entered: Entered): Promise<GatewayAnswer> {
  const { call, release } = entered
  const follow = () => followCall(ctx, { call, tokenId: call.grant.tokenId })
  const repeated = await follow()
  if (repeated !== undefined) return answerByRepeated(ctx, entered, repeated)
  const { resumed: id } = call
  const asked = id && (await followAskedRun(ctx, { id, tokenId: call.grant.tokenId }))
  if (asked) return answerByRepeated(ctx, entered, asked)
  const found = await findAskedChain(ctx, call).catch(async (error: unknown) => {
    // Another call with the key may have gone on with the run meanwhile.
    const begun = await follow()
    if (begun === undefined) throw error
    return { begun }
  })
  if ('begun' in found) return answerByRepeated(ctx, entered, found.begun)
  if (found.chainId === undefined) {
    const { choice } = found
    await choice.record(null)
    release()
    return answerDirectly(ctx, { call, text: choice.question ?? '', choice })
  }
  const { choice, ...chain } = found
  const isCountedLater = 'failed' in chain && chain.failed.hasAsked
  const { run, isFirst } = await startChainCall(ctx, { call, ...chain, bestChain: choice?.reply })
  endWithRun(ctx, { ...call, run, release, isFirst: isFirst && !isCountedLater })
  if (isFirst) await choice?.record(run.id)
  return answerByRun(ctx, { call, run, choice })
}

/** Another call with the same key began the run, and counts it. */
function answerByRepeated(ctx: Context, { call, release }: Entered, run: FollowedRun): GatewayAnswer {
  endWithRun(ctx, { ...call, run, release, isFirst: false })
  return answerByRun(ctx, { call, run, choice: undefined })
}

function answerDirectly(
  { now }: Context,
  { call, text, choice }: { call: GatewayCall; text: string; choice: Choice | undefined },
): GatewayAnswer {
  const { request, requestId: id } = call
  return answerInWords(
    { id, model: request.model, request, createdAt: now(), bestChain: choice?.reply },
    text,
  )
}

type FollowedRun = Omit<Awaited<ReturnType<typeof startChainCall>>['run'], 'executedAt'>

interface AnsweringRun {
  call: GatewayCall
  run: FollowedRun
  choice: Choice | undefined
}

function answerByRun({ now }: Context, { call, run, choice }: AnsweringRun): GatewayAnswer {
  const { grant, request } = call
  const model = nameOfChain({ id: run.chainId, label: run.chainLabel, asked: request.model })
  const head = { id: `${run.id}`, model, request, createdAt: now(), bestChain: choice?.reply }
  const progress = grant.showsProgress ? { steps: run.steps, titles: run.titles } : undefined
  return toAnswer({ head, run, progress })
}

/** A call that resumes a failed run is for that run's chain. */
async function findAskedChain(ctx: Context, call: GatewayCall) {
  const { grant, resumed: id, request, signal } = call
  if (id === undefined) return findChain(ctx, { grant, request, signal })
  const failed = await findCalledRun(ctx, { id, tokenId: grant.tokenId })
  return { ...(await findChainOfRun(ctx, { grant, request, run: failed })), failed }
}
