import { setTimeout as delay } from 'node:timers/promises'
import { stepTitle } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context, SqlContext } from '../../../platform/context.ts'
import { type followChainRun, readRun } from '../../runs/runs.ts'
import type { Grant } from '../../tokens/tokens.ts'
import { endWithRun, followCall, limitedCall, startChainCall, toRunError } from '../gateway/gateway.ts'
import { chooseChainLabel } from './choose-version.ts'
import type { McpCall } from './mcp-call.ts'
import {
  type After,
  findOptionalReachedChain,
  listReachedChains,
  type ReachedChain,
} from './mcp-reach.sql.ts'
import { quoteText, toLine } from './quote-text.ts'

const PATH = '/mcp'
const PREFIX = 'chain_'
/** Some models take no longer names of tools. */
const NAME_MAX = 64
const PAGE = 100
const DESCRIPTION_MAX = 500
const TITLE_MAX = 100
/** Clients wait a minute; a run that goes on without its caller is asked for by `get_run` then. */
const WAIT_MS = 50_000

interface DescribedChain {
  name: string
  title: string
  description: string
  asksFirst: boolean
  callsServices: boolean
  readsInput: boolean
}

interface ChainAnswer {
  texts: string[]
  isError: boolean
}

export interface WantedRun {
  call: McpCall
  /** Of the tool. */
  name: string
  input: string | undefined
  key: string | undefined
  onProgress: (progress: { ended: number; total: number; message: string }) => void
}

type StartedRun = NonNullable<Awaited<ReturnType<typeof followChainRun>>>

export const isChainTool = (name: unknown): boolean => typeof name === 'string' && name.startsWith(PREFIX)

export function toolNameOf({ id, name: called }: Pick<ReachedChain, 'id' | 'name'>): string {
  const name = PREFIX + called
  if (name.length <= NAME_MAX) return name
  const end = `_${id}`
  return name.slice(0, NAME_MAX - end.length) + end
}

/** The chains of a token, each as a tool, by name, after one. */
export async function listChains(
  { db }: SqlContext,
  { grant, after }: { grant: Grant; after?: After | undefined },
) {
  const rows = await listReachedChains(db, { reach: grant, after, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE)
  return { chains: page.map(describe), next: rows.length > PAGE ? page.at(-1) : undefined }
}

/** Throws what keeps the run from starting, which is the token's last error then. */
export async function runChain(ctx: Context, wanted: WantedRun): Promise<ChainAnswer> {
  const { call, input = '' } = wanted
  const { grant, client } = call
  return limitedCall(ctx, { grant, client }, async (release) => {
    const chain = await findChain(ctx, { grant, name: wanted.name })
    if (wanted.input === undefined && chain.readsInput) {
      throw new AppError('invalid', 'input: The chain needs one. Give it what it should work on.')
    }
    const { run, isFirst } = await begin(ctx, { ...wanted, input, chain })
    endWithRun(ctx, { run, grant, client, release, isFirst })
    return follow(run, wanted)
  })
}

async function findChain(
  { db }: SqlContext,
  { grant, name }: { grant: Grant; name: string },
): Promise<ReachedChain> {
  const reach = grant
  const named = await findOptionalReachedChain(db, { reach, name: name.slice(PREFIX.length) })
  if (named !== undefined) return named
  const id = Number(/_(\d{1,9})$/.exec(name)?.[1])
  const [found] = Number.isNaN(id) ? [] : await listReachedChains(db, { reach, id, limit: 1 })
  if (found === undefined || toolNameOf(found) !== name) {
    throw new AppError('not_found', `This token reaches no chain ${quoteText(name, TITLE_MAX)}.`)
  }
  return found
}

/** Throws `not_found` unless this token started the run. */
export async function findChainRun(
  ctx: Context,
  { grant, id }: { grant: Grant; id: number },
): Promise<ChainAnswer> {
  const run = await readRun(ctx, { id, user: grant.user })
  if (run.sight === 'presence' || run.kind !== 'chain' || run.token?.id !== grant.tokenId) {
    throw new AppError('not_found', `This token has no run ${id}.`)
  }
  const { status, stepCount, completedSteps, output, error, chainName } = run
  const head = `Run ${id} of ${quoteText(chainName, TITLE_MAX)}: ${status}, ${completedSteps} of ${stepCount} steps.`
  if (status === 'completed') return { texts: [output ?? '', head], isError: false }
  if (status === 'running') return { texts: [head], isError: false }
  return { texts: [`${head} ${error ?? ''}`.trim()], isError: true }
}

/** Follows the run of the call's key, or starts one. Without a key it ends with its caller (D46). */
async function begin(
  ctx: Context,
  {
    call: { grant, signal },
    chain,
    input,
    key,
  }: Pick<WantedRun, 'call' | 'key'> & { input: string; chain: ReachedChain },
) {
  const label = chooseChainLabel(grant, chain.labels)
  const request = {
    model: `${chain.id}@${label ?? ''}`,
    messages: [{ role: 'user' as const, content: input }],
    bounds: {},
    ignored: [],
  }
  const asked = { grant, request, path: PATH, depth: 0, key, resumed: undefined, signal }
  const repeated = await followCall(ctx, { call: asked, tokenId: grant.tokenId })
  if (repeated !== undefined) return { run: repeated, isFirst: false }
  return startChainCall(ctx, { call: asked, chainId: chain.id, label })
}

/** The answer; of a run that goes on without its caller, after a while what to ask for. */
async function follow(
  run: StartedRun,
  { call: { signal }, key, onProgress }: Pick<WantedRun, 'call' | 'key' | 'onProgress'>,
): Promise<ChainAnswer> {
  const { id, titles } = run
  const total = titles.length
  const tell = (ended: number) => {
    const next = ended < total ? `: ${stepTitle({ title: titles[ended] ?? '' })}` : ''
    const message = `Run ${id}, ${ended} of ${total} steps${toLine(next, TITLE_MAX)}`
    if (!signal.aborted) onProgress({ ended, total, message })
  }
  const steps = tellSteps(run, tell)
  const stop = new AbortController()
  const late =
    key === undefined ? [] : [delay(WAIT_MS, undefined, { signal: stop.signal }).catch(() => undefined)]
  const outcome = await Promise.race([run.outcome, ...late])
  stop.abort()
  const head = `run_id: ${id}`
  if (outcome === undefined) {
    return { texts: [`${head}\nThe run is still running. Get its result with get_run.`], isError: false }
  }
  if (outcome.status !== 'completed') {
    return { texts: [`${head}\n${toRunError(outcome).message}`], isError: true }
  }
  await steps
  tell(total)
  return { texts: [outcome.answer.text, head], isError: false }
}

/** A step has ended as the next one begins. */
async function tellSteps(run: StartedRun, tell: (ended: number) => void): Promise<void> {
  try {
    for await (const position of run.steps.read()) if (position > 0) tell(position)
  } catch {
    // How it went is in its outcome.
  }
}

function describe(chain: ReachedChain): DescribedChain {
  const { title, description, owner, steps, asksFirst, callsServices, readsInput } = chain
  const says =
    description === '' ? '' : ` Its owner’s description: ${quoteText(description, DESCRIPTION_MAX)}.`
  const asks = asksFirst ? ' Ask your user before each run.' : ''
  return {
    name: toolNameOf(chain),
    title: toLine(title, TITLE_MAX),
    description:
      `Runs the chain ${quoteText(title, TITLE_MAX)} by ${toLine(owner, TITLE_MAX)} ` +
      `(${steps} ${steps === 1 ? 'step' : 'steps'}), and answers with its last output.${says}${asks}`,
    asksFirst,
    callsServices,
    readsInput,
  }
}
