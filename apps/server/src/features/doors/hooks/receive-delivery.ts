import { HOOK_DELIVERY_HEADERS, HOOK_DELIVERY_ID_MAX, HOOK_TEXTS } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { clientOf } from '../../../platform/http/client-name.ts'
import type { HttpRequest } from '../../../platform/http/routes.ts'
import { reserveRunId, startChainRun } from '../../runs/runs.ts'
import {
  addUse,
  findRepeated,
  type Grant,
  grantOf,
  keepDelivery,
  RepeatedDeliveryError,
  secretContextOf,
} from '../../tokens/tokens.ts'
import { COUNTED_LATER, endWithRun, limitedCall, requireDepth } from '../gateway/gateway.ts'
import { checkSignature } from './check-signature.ts'
import { readInput } from './read-input.ts'

const PATH = '/hooks'
const VISIBLE = /^[\x21-\x7e]+$/

/** Starts the chain of the address, once for each delivery; the run, which goes on by itself. */
export async function receiveDelivery(ctx: Context, request: HttpRequest): Promise<number> {
  const grant = grantOf(request)
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  requireSignature(ctx, { grant, request, bytes })
  const delivery = { grant, deliveryId: deliveryIdOf(grant, request), address: request.ip }
  const repeated = await findRepeated(ctx, delivery)
  if (repeated !== undefined) return repeated
  const input = readInput(request, bytes)
  const depth = requireDepth(request)
  const client = clientOf(request)
  return limitedCall(ctx, { grant, client }, async (release) => {
    const executionId = await reserveRunId(ctx)
    try {
      const run = await startChainRun(ctx, {
        ...runOf(grant),
        input,
        apiCall: { path: PATH, ignored: [], depth },
        id: executionId,
        inRecord: (ctx) => keepDelivery(ctx, { ...delivery, executionId }),
      })
      endWithRun(ctx, { run, grant, client, release, isFirst: true })
      return executionId
    } catch (error) {
      if (!(error instanceof RepeatedDeliveryError)) throw error
      release()
      const first = await findRepeated(ctx, delivery)
      if (first === undefined) throw new AppError('unavailable', 'Send this delivery again.')
      return first
    }
  })
}

function runOf(grant: Grant) {
  const { user, allowed, chainId, chainLabel: label, tokenId } = grant
  if (chainId === null) throw new AppError('not_found', 'Chain not found')
  return {
    user,
    allowed,
    chainId,
    label,
    sends: () => grant.sendsFor(chainId),
    trigger: 'token' as const,
    apiTokenId: tokenId,
    subscribersIfItAsks: { [COUNTED_LATER]: `${tokenId}` },
  }
}

interface Signed {
  grant: Grant
  request: HttpRequest
  bytes: Buffer
}

function requireSignature(ctx: Context, { grant, request, bytes: body }: Signed): void {
  const { tokenId, user, signature, sealedSecret: sealed } = grant
  if (signature === null) return
  const context = secretContextOf({ id: tokenId, createdBy: user.id })
  const secret = sealed === null ? undefined : ctx.secrets.openOptional({ sealed, context })
  if (secret === undefined) throw new AppError('unavailable', HOOK_TEXTS.sealedElsewhere)
  const { form, header } = signature
  try {
    checkSignature({ form, sent: headerOf(request, header), secret, body, now: ctx.now() })
  } catch (error) {
    if (error instanceof AppError) addUse(ctx, { tokenId, error })
    throw error
  }
}

/** Null: the caller named none. Throws `invalid` for one that can't be kept. */
export function deliveryIdOf({ deliveryHeader }: Grant, request: HttpRequest): string | null {
  const headers = deliveryHeader === null ? HOOK_DELIVERY_HEADERS : [deliveryHeader]
  const sent = headers.map((name) => headerOf(request, name)).find((value) => value)
  if (sent === undefined) return null
  if (sent.length > HOOK_DELIVERY_ID_MAX || !VISIBLE.test(sent))
    throw new AppError('invalid', HOOK_TEXTS.deliveryId)
  return sent
}

function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
