import { type ModelAlias, READ_TOKEN_TEXTS, type User } from '@catenary/contracts'
import { isNotFound } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { listModelsFor } from '../../models/models.ts'
import { type RunHandle, type RunMessage, startPromptRun } from '../../runs/runs.ts'
import type { Grant } from '../../tokens/tokens.ts'
import { findNamedPrompt, othersTextOf, readChoice } from '../prompt-server/prompt-server.ts'
import { GatewayError, refused } from './gateway-error.ts'
import { sentFilesOf } from './sent-files.ts'
import type { ChainRequest } from './wires/wire.ts'

interface PromptCall {
  grant: Grant
  request: ChainRequest
  path: string
  depth: number
  /** Idempotency-Key. */
  key: string | undefined
  signal: AbortSignal
}

interface PromptAnswer {
  run: RunHandle
  model: ModelAlias
  /** As the reply gives it back: with the version that runs. */
  request: ChainRequest
}

/** Starts the run of a prompt by its name, as OpenAI's prompt objects were run; throws what keeps it from starting. It ends with its caller. */
export async function startPromptCall(
  ctx: Context,
  { grant, request, path, depth, key, signal }: PromptCall,
): Promise<PromptAnswer> {
  const { prompt, messages, transcript = messages, ignored, bounds, echo } = request
  if (!reachesPrompts(grant))
    throw refused('prompt', 'only read tokens run prompts; this token is for chains')
  if (!grant.abilities.has('run')) throw new GatewayError('forbidden', READ_TOKEN_TEXTS.mayNotRun)
  if (prompt === undefined) throw refused('prompt', 'required: this token runs prompts, not chains')
  if (key !== undefined)
    throw refused('Idempotency-Key', 'not supported with prompt: the run ends with the call')
  const { id, version, variables } = prompt
  const named = await findNamedPrompt(ctx, {
    grant,
    name: id,
    choice: readChoice(version),
  }).catch((error: unknown) => throwPromptError(error))
  const model = modelOf(ctx, request.model, { own: named.version.settings?.model, user: grant.user })
  const { turns, ...said } = readTurns(transcript)
  const run = await startPromptRun(ctx, {
    user: grant.user,
    allowed: grant.allowed,
    request: { promptId: named.prompt.id, model, variables, ...said },
    turns,
    sent: sentFilesOf(ctx, { request, userId: grant.user.id, signal }),
    version: { ...named.version, othersNames: othersTextOf({ ...named, user: grant.user }).names },
    stopsWithoutValue: true,
    bounds,
    origin: { trigger: 'token', apiTokenId: grant.tokenId, apiCall: { path, ignored, depth } },
    signal,
  })
  const asked = { id, version: `${named.version.number}`, variables }
  return { run, model, request: { ...request, echo: { ...echo, prompt: asked } } }
}

const reachesPrompts = ({ abilities, includesAllPrompts, promptIds }: Grant): boolean =>
  abilities.has('read') || includesAllPrompts || promptIds.length > 0

/** The one that is asked for by an alias of ours, else the prompt's own, else the first that is set up. */
function modelOf(
  ctx: Context,
  wanted: string,
  { own, user }: { own: string | undefined; user: User },
): ModelAlias {
  const all = listModelsFor(ctx, user)
  const [asked, preset] = [wanted, own].map((name) => all.find(({ alias }) => alias === name))
  const found = asked ?? preset ?? all.find((model) => model.configured) ?? all[0]
  if (found === undefined) throw new GatewayError('overloaded', 'No model is set up on this server.')
  return found.alias
}

/** A single text from a user follows the prompt's as a person's input; a conversation follows it turn by turn. */
function readTurns(messages: RunMessage[]): { turns: RunMessage[]; userInput?: string } {
  const said = messages.filter(({ role }) => role !== 'system')
  const [only] = said
  if (said.length !== 1 || only?.role !== 'user') return { turns: messages }
  return { turns: messages.filter(({ role }) => role === 'system'), userInput: only.content }
}

function throwPromptError(error: unknown): never {
  if (!isNotFound(error)) throw error
  throw new GatewayError('not_found', error.message, { param: 'prompt.id' })
}
