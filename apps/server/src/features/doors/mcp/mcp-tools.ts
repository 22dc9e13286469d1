import * as z from 'zod'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import type { Grant } from '../../tokens/tokens.ts'
import { GatewayError } from '../gateway/gateway.ts'
import { findChainRun, isChainTool, listChains, runChain, type WantedRun } from './mcp-chains.ts'
import { givePrompt, searchPrompts } from './mcp-prompts.ts'
import type { After } from './mcp-reach.sql.ts'

const INPUT_MAX = 1_000_000
const VALUE_MAX = 100_000
const SEARCH_MAX = 50

const text = z.string().max(INPUT_MAX)

const chainInput = z.strictObject({
  input: text.describe('The chain’s input: its {{input}}.'),
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters')
    .optional()
    .describe(
      'With a key the run continues without you, and repeating the call with the same key follows the same run for a day. ' +
        'Without a key the run stops if you disconnect.',
    ),
})

const inputless = chainInput.extend({
  input: text.optional().describe('The chain has no {{input}}, so leave this out.'),
})

const runInput = z.strictObject({
  run_id: z.int().min(1).max(2_147_483_647).describe('From the answer or progress of a chain’s tool.'),
})

const promptInput = z.strictObject({
  name: z.string().max(200).describe('Name of a prompt or skill, as search_prompts lists it.'),
  arguments: z
    .record(z.string().max(100), z.string().max(VALUE_MAX))
    .optional()
    .describe('Values of its arguments, by their names.'),
  label: z
    .string()
    .max(36)
    .optional()
    .describe('Label of the version; absent: the one that this token serves.'),
})

const searchInput = z.strictObject({
  query: z.string().max(200).optional().describe('Words to find in titles and names; absent: all.'),
  limit: z.int().min(1).max(SEARCH_MAX).optional().describe('Maximum number of prompts; absent: 20.'),
})

interface Tool {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations: Record<string, boolean>
}

interface ToolAnswer {
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input' }) as unknown as Tool['inputSchema']
const CHAIN_SCHEMA = schemaOf(chainInput)
const INPUTLESS_SCHEMA = schemaOf(inputless)
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const PROMPT_TOOLS: Tool[] = [
  {
    name: 'get_prompt',
    title: 'Get a prompt',
    description: 'The text of a prompt or skill, with values for its arguments, ready to follow or to send.',
    inputSchema: schemaOf(promptInput),
    annotations: READS,
  },
  {
    name: 'search_prompts',
    title: 'Search prompts',
    description: 'Prompts and skills that this token reaches, with their names and arguments.',
    inputSchema: schemaOf(searchInput),
    annotations: READS,
  },
]

const RUN_TOOL: Tool = {
  name: 'get_run',
  title: 'Get a run',
  description: 'The state of a chain run started by one of these tools, and its answer once there is one.',
  inputSchema: schemaOf(runInput),
  annotations: READS,
}

interface CalledTool extends Pick<WantedRun, 'call' | 'onProgress'> {
  name: string
  input: unknown
}

export async function listTools(
  ctx: Context,
  { grant, after }: { grant: Grant; after?: After | undefined },
): Promise<{ tools: Tool[]; next: After | undefined }> {
  const page = await listChains(ctx, { grant, after })
  const ofChains = page.chains.map(({ asksFirst, callsServices, readsInput, ...chain }): Tool => {
    const acts = asksFirst || callsServices
    const annotations = {
      readOnlyHint: false,
      destructiveHint: acts,
      idempotentHint: false,
      openWorldHint: acts,
    }
    return { ...chain, inputSchema: readsInput ? CHAIN_SCHEMA : INPUTLESS_SCHEMA, annotations }
  })
  if (after !== undefined) return { tools: ofChains, next: page.next }
  const hasPrompts = grant.includesAllPrompts || grant.promptIds.length > 0
  const hasChains = grant.includesAllChains || grant.chainIds.length > 0
  const others = [...(hasPrompts ? PROMPT_TOOLS : []), ...(hasChains ? [RUN_TOOL] : [])]
  return { tools: [...others, ...ofChains], next: page.next }
}

/** What goes wrong is an answer too, so that a model reads it; throws what nobody expected. */
export async function callTool(ctx: Context, called: CalledTool): Promise<ToolAnswer> {
  try {
    return await answer(ctx, called)
  } catch (error) {
    if (error instanceof AppError || error instanceof GatewayError) {
      return toAnswer({ texts: [error.message], isError: true })
    }
    throw error
  }
}

async function answer(ctx: Context, { call, name, input, onProgress }: CalledTool): Promise<ToolAnswer> {
  const { grant } = call
  if (isChainTool(name)) {
    const { input: text, idempotency_key: key } = read(inputless, input)
    return toAnswer(await runChain(ctx, { call, name, input: text, key, onProgress }))
  }
  if (name === RUN_TOOL.name) {
    return toAnswer(await findChainRun(ctx, { grant, id: read(runInput, input).run_id }))
  }
  if (name === 'get_prompt') {
    const { arguments: values = {}, ...wanted } = read(promptInput, input)
    const { messages } = await givePrompt(ctx, { call, kind: 'any', ...wanted, values })
    const texts = messages.map(({ role, content }) => (role === 'user' ? content : `Assistant: ${content}`))
    return toAnswer({ texts, isError: false })
  }
  if (name === 'search_prompts') {
    const { query = '', limit = 20 } = read(searchInput, input)
    const found = await searchPrompts(ctx, { grant, query: query.trim(), limit })
    return toAnswer({ texts: [JSON.stringify(found)], isError: false })
  }
  throw new AppError('not_found', 'There is no tool with this name.')
}

function read<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input ?? {})
  if (error === undefined) return data as z.output<Schema>
  const [issue] = error.issues
  const at = issue?.path.join('.')
  throw new AppError('invalid', `${at ? `${at}: ` : ''}${issue?.message ?? 'The arguments are not valid'}`)
}

function toAnswer({ texts, isError }: { texts: string[]; isError: boolean }): ToolAnswer {
  return { content: texts.map((text) => ({ type: 'text', text })), ...(isError && { isError }) }
}
