import type { BestChainChoice } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { type CalledRun, type RunOutcome, reserveRunId, resumeCall, startChainRun } from '../../runs/runs.ts'
import { addUse, enterCall, failureOf, type Grant } from '../../tokens/tokens.ts'
import { COUNTED_LATER } from './background-calls.ts'
import { GatewayError } from './gateway-error.ts'
import { startCall } from './idempotent-calls.ts'
import { sentFilesOf } from './sent-files.ts'
import type { ChainRequest } from './wires/wire.ts'

interface Limited {
  grant: Grant
  /** Name and version of the calling program, reported with a failure. */
  client?: string
}

/** Holds a place within the token's limits until `release`; what keeps the call from starting is the token's last error. */
export async function limitedCall<Answer>(
  ctx: Context,
  { grant, client }: Limited,
  answer: (release: () => void) => Promise<Answer>,
): Promise<Answer> {
  const release = await enterCall(ctx, grant)
  try {
    return await answer(release)
  } catch (error) {
    release()
    const failure =
      error instanceof GatewayError ? { code: error.kind, message: error.message } : failureOf(error)
    addUse(ctx, { tokenId: grant.tokenId, client, error: failure })
    throw error
  }
}

interface Running {
  run: { outcome: Promise<RunOutcome> }
  grant: Grant
  client: string
  release: () => void
  /** False where another call began this run, and counts it. */
  isFirst: boolean
}

/** When the run ends, frees the call's place in the token's limits and counts what it took. */
export function endWithRun(ctx: Context, { run, grant, client, release, isFirst }: Running): void {
  void run.outcome.then((outcome) => {
    release()
    if (isFirst) countOutcome(ctx, { tokenId: grant.tokenId, outcome, client })
  })
}

const NOTHING = { inputTokens: 0, outputTokens: 0, costNanos: 0 }

function countOutcome(
  ctx: Context,
  { tokenId, outcome, client }: { tokenId: number; outcome: RunOutcome; client: string },
): void {
  const isDone = outcome.status === 'completed'
  if (!isDone && outcome.code === 'run_waiting') {
    addUse(ctx, { tokenId, client, calls: 1 })
    return
  }
  const { inputTokens, outputTokens, costNanos } = (isDone ? outcome.answer : outcome.used) ?? NOTHING
  const failed = isDone || outcome.status === 'cancelled' ? undefined : outcome
  addUse(ctx, {
    tokenId,
    client,
    calls: 1,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    costNanos: costNanos ?? 0,
    error: failed && { message: failed.message, code: failed.code },
  })
}

export interface ChainCall {
  grant: Grant
  request: Pick<ChainRequest, 'model' | 'messages' | 'transcript' | 'attached' | 'bounds' | 'ignored'> &
    Partial<Pick<ChainRequest, 'background' | 'echo'>>
  path: string
  /** How many calls of this server stand around it. */
  depth: number
  /** Idempotency-Key: the run goes on without its caller, and a repeated call follows it (D46). */
  key: string | undefined
  /** x-catenary-resume: the failed run that it goes on with (D63). */
  resumed: number | undefined
  signal: AbortSignal
}

function inBackground(
  { background, model, echo = {} }: ChainCall['request'],
  bestChain: BestChainChoice | undefined,
) {
  return background === true ? { background: { model, echo, bestChain } } : {}
}

interface StartedChain {
  call: ChainCall
  chainId: number
  label: string | null
  failed?: CalledRun | undefined
  bestChain?: BestChainChoice | undefined
}

/** Without an Idempotency-Key a run ends with its caller (D46), unless its answer is fetched later. */
export async function startChainCall(
  ctx: Context,
  { call, chainId, label, failed, bestChain }: StartedChain,
) {
  const { grant, request, path, depth, key, resumed, signal } = call
  const { user, tokenId, allowed } = grant
  const wanted = {
    user,
    allowed,
    sends: () => grant.sendsFor(chainId),
    chainId,
    label,
    input: request.messages,
    transcript: request.transcript,
    sent: sentFilesOf(ctx, { request, userId: user.id, signal }),
    bounds: request.bounds,
    trigger: 'token' as const,
    apiTokenId: tokenId,
    apiCall: { path, ignored: request.ignored, depth, ...inBackground(request, bestChain) },
    subscribersIfItAsks: { [COUNTED_LATER]: `${tokenId}` },
  }
  type Own = Pick<Parameters<typeof resumeCall>[1], 'attached' | 'inClaim'> & { id?: number }
  const begin = (own: Own) =>
    failed === undefined
      ? startChainRun(ctx, { ...wanted, ...own })
      : resumeCall(ctx, { ...wanted, ...own, run: failed })
  if (key === undefined) {
    const own = request.background ? {} : { attached: signal }
    return { run: await begin(own), isFirst: true }
  }
  const executionId = failed?.id ?? (await reserveRunId(ctx))
  const asked = { request, path, key, resumed }
  return startCall(ctx, { call: asked, tokenId, chainId, executionId, begin })
}
