import type { ModelAlias, ModelTest } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { ModelError } from '../../platform/models/model-error.ts'

function sentenceOf({ code, status, plain }: ModelError): string {
  if (code !== 'model_rejected' || status === undefined) return plain
  const hint = HINTS[status] ?? ''
  return `It did not accept the request (${status}).${hint}`
}

const HINTS: Record<number, string> = {
  404: ' It has no such model, the key can’t use it, or the address is wrong.',
}

const QUESTION = 'Answer with the single word: ok'
/** Enough for models that think before they write. */
const MAX_TOKENS = 1000
/** Within the client's own limit of 20 s. */
const TIMEOUT_MS = 18_000
/** Of waiting for a rate limit: whoever tests should hear soon. */
const WAIT_MS = 5_000

/** Makes one short call; a failure is a result. Throws `not_found`. */
export async function testModel({ models }: Pick<Context, 'models'>, alias: ModelAlias): Promise<ModelTest> {
  if (!models.describe().some((model) => model.alias === alias)) {
    throw new AppError('not_found', 'This model does not exist')
  }
  const startedAt = performance.now()
  const ms = () => Math.round(performance.now() - startedAt)
  const address = models.addressOf(alias)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const call = { alias, prompt: QUESTION, maxTokens: MAX_TOKENS, waitMs: WAIT_MS, signal: timeout }
    const { modelId } = await models.generate(call)
    return { ok: true, ms: ms(), modelId, error: null, address }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const message = timeout.aborted
      ? `${alias} did not answer within ${TIMEOUT_MS / 1000} s.`
      : sentenceOf(error)
    return { ok: false, ms: ms(), modelId: null, error: message, address }
  }
}
