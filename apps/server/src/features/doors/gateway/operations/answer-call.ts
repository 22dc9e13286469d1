import type { User } from '@catenary/contracts'
import { AppError } from '../../../../errors.ts'
import type { Context } from '../../../../platform/context.ts'
import { type CalledRun, findCalledRun, reserveRunId, resumeCall, startChainRun } from '../../../runs/runs.ts'
import { addUse, enterGrant, type Grant, openGrant } from '../../../tokens/tokens.ts'
import type { Choice } from '../best-chain.ts'
import { countOutcome } from '../count-outcome.ts'
import { type GatewayAnswer, toAnswer } from '../gateway-answer.ts'
import { GatewayError } from '../gateway-error.ts'
import { followCall, startCall } from '../idempotent-calls.ts'
import { modelNamesOf, readModelName } from '../model-names.ts'
import { startPromptCall } from '../prompt-calls.ts'
import { answerOf, eventsOfText } from '../reply-events.ts'
import { sentFilesOf } from '../sent-files.ts'
import { answerUtilityPrompt } from '../utility-prompts.ts'
import type { ChainRequest } from '../wires/wire.ts'
import { findChain, findChainOfRun, type NamedChain } from './find-chain.ts'
import { runsChains } from './reachable-chains.ts'

/** Where prompts are run by their names. */
const PROMPT_PATH = '/v1/responses'
/** How deeply calls of this server may be nested. */
const LEVELS = 3

/** A call of the compatible API, once its vendor's form is read. */
interface GatewayCall {
  token: string | undefined
  request: ChainRequest
  path: string
  /** Name and version of the program, as it says; may be empty. */
  client: string
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

/** A call whose token may be used now. */
interface Entered {
  call: GatewayCall
  grant: Grant
  /** Ends the call for the token's limits. */
  release: () => void
}

type StartedRun = Awaited<ReturnType<typeof startChainRun>>

/** Throws unless the token is valid there: a call without one learns nothing about its request. */
export async function requireToken(
  ctx: Context,
  { token, path }: { token: string | undefined; path: string },
): Promise<User> {
  const grant = await openGrant(ctx, token)
  const { abilities, user } = grant
  if (!abilities.has('run') && !abilities.has('read')) {
    throw new GatewayError(
      'forbidden',
      abilities.has('agent')
        ? 'A token for agents connects to POST /mcp.'
        : 'A folder token reads and writes folders: it runs nothing here.',
    )
  }
  if (!runsChains(grant) && path !== PROMPT_PATH) {
    throw new GatewayError('forbidden', `A read token runs prompts at ${PROMPT_PATH}, and no chains.`)
  }
  return user
}

/** Answers a request by a chain or a prompt; throws what goes wrong before its run starts. */
export async function answerCall(ctx: Context, call: GatewayCall): Promise<GatewayAnswer> {
  const { grant, release } = await enterGrant(ctx, call.token)
  try {
    return await answer(ctx, { call, grant, release })
  } catch (error) {
    release()
    const { message, kind } = toCounted(error)
    addUse(ctx, { tokenId: grant.tokenId, error: { message, code: kind } })
    throw error
  }
}

async function answer(ctx: Context, entered: Entered): Promise<GatewayAnswer> {
  const { call, grant, release } = entered
  if (call.depth >= LEVELS) {
    throw new GatewayError(
      'invalid',
      `Chains that call this server stand within each other ${LEVELS} deep at most.`,
    )
  }
  if (!runsChains(grant) || call.request.prompt !== undefined) return answerByPrompt(ctx, entered)
  const job = grant.answersHelperJobs ? answerUtilityPrompt(call.request.messages) : undefined
  if (job === undefined) return answerByChain(ctx, entered)
  addUse(ctx, { tokenId: grant.tokenId, savedCalls: 1 })
  release()
  return answerDirectly(ctx, { call, text: job, choice: undefined })
}

async function answerByPrompt(ctx: Context, { call, grant, release }: Entered): Promise<GatewayAnswer> {
  const { run, model, request } = await startPromptCall(ctx, { ...call, grant })
  void run.outcome.then((ended) => {
    release()
    countOutcome(ctx, { tokenId: grant.tokenId, outcome: ended, client: call.client })
  })
  const head = { id: `${run.id}`, model, request, createdAt: ctx.now(), bestChain: undefined }
  return toAnswer({ head, run })
}

async function answerByChain(ctx: Context, entered: Entered): Promise<GatewayAnswer> {
  const { call, grant, release } = entered
  const follow = () => followCall(ctx, { call, tokenId: grant.tokenId })
  const repeated = await follow()
  if (repeated !== undefined) return answerByRepeated(ctx, entered, repeated)
  const found = await findAskedChain(ctx, entered).catch(async (error: unknown) => {
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
  const { run, isFirst } = await start(ctx, { call, grant, ...chain })
  void run.outcome.then((ended) => {
    release()
    if (isFirst) countOutcome(ctx, { tokenId: grant.tokenId, outcome: ended, client: call.client })
  })
  if (isFirst) await choice?.record(run.id)
  return answerByRun(ctx, { call, grant, run, choice })
}

/** What the run of the call's key says, which another call began and counts. */
function answerByRepeated(ctx: Context, { release, ...asked }: Entered, run: FollowedRun): GatewayAnswer {
  void run.outcome.then(release)
  return answerByRun(ctx, { ...asked, run, choice: undefined })
}

/** An answer in words that no chain wrote. */
function answerDirectly(
  { now }: Context,
  { call, text, choice }: { call: GatewayCall; text: string; choice: Choice | undefined },
): GatewayAnswer {
  const { request, requestId: id } = call
  return {
    head: { id, model: request.model, request, createdAt: now(), bestChain: choice?.reply },
    executionId: undefined,
    whole: async () => answerOf(text),
    events: () => eventsOfText(text),
  }
}

type FollowedRun = Omit<StartedRun, 'executedAt'>

interface AnsweringRun extends Omit<Entered, 'release'> {
  run: FollowedRun
  choice: Choice | undefined
}

function answerByRun({ now }: Context, { call, grant, run, choice }: AnsweringRun): GatewayAnswer {
  const { request } = call
  const { chainId, chainLabel: label } = run
  const [name = ''] = modelNamesOf({ id: chainId, ...(label !== null && { label }) })
  const model = readModelName(request.model).chainId === undefined ? name : request.model
  const head = { id: `${run.id}`, model, request, createdAt: now(), bestChain: choice?.reply }
  const progress = grant.showsProgress ? { steps: run.steps, titles: run.titles } : undefined
  return toAnswer({ head, run, progress })
}

/** The chain that the call is for; of a call that goes on with a failed run, that one's. */
async function findAskedChain(ctx: Context, { call, grant }: Entered) {
  const { resumed: id, request, signal } = call
  if (id === undefined) return findChain(ctx, { grant, request, signal })
  const failed = await findCalledRun(ctx, { id, tokenId: grant.tokenId })
  return { ...(await findChainOfRun(ctx, { grant, request, run: failed })), failed }
}

interface StartedCall extends Omit<NamedChain, 'choice'> {
  call: GatewayCall
  grant: Grant
  failed?: CalledRun
}

/** Without an Idempotency-Key a run ends with its caller (D46). */
async function start(ctx: Context, { call, grant, chainId, label, failed }: StartedCall) {
  const { request, path, depth, key, resumed, signal } = call
  const { user, tokenId } = grant
  const sent = sentFilesOf(ctx, { request, userId: user.id, signal })
  const wanted = {
    user,
    allowed: grant.allowed,
    chainId,
    label,
    input: request.messages,
    transcript: request.transcript,
    sent,
    bounds: request.bounds,
    trigger: 'token' as const,
    apiTokenId: tokenId,
    apiCall: { path, ignored: request.ignored, depth },
  }
  type Own = Pick<Parameters<typeof resumeCall>[1], 'attached' | 'inClaim'> & { id?: number }
  const begin = (own: Own) =>
    failed === undefined
      ? startChainRun(ctx, { ...wanted, ...own })
      : resumeCall(ctx, { ...wanted, ...own, run: failed })
  if (key === undefined) return { run: await begin({ attached: signal }), isFirst: true }
  const executionId = failed?.id ?? (await reserveRunId(ctx))
  return startCall(ctx, {
    call: { request, path, key, resumed },
    tokenId,
    chainId,
    executionId,
    begin,
  })
}

function toCounted(error: unknown): { message: string; kind: string } {
  if (error instanceof GatewayError) return error
  if (error instanceof AppError) return { message: error.message, kind: error.code }
  return { message: 'Something went wrong on the server', kind: 'internal' }
}
