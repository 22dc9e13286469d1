import * as z from 'zod'
import { id } from '../common.ts'
import { wantedLabel } from '../records/labels.ts'
import { newTokenValue, optionalTokenSettings, tokenFields, tokenName } from './tokens.ts'

const MCP_TOKEN_RECORDS_MAX = 1_000
const MCP_TOKEN_LABELS_MAX = 10
export const SEEN_NAMES_MAX = 100

export const MCP_TOKEN_TEXTS = {
  none: 'No tokens for agents created yet.',
  noneHint: 'Create a token to connect Claude Code, Codex, Cursor and other MCP clients.',
  chooseSome: 'Please select at least one prompt or chain.',
  promptsOrAll: 'Choose either specific prompts or all of them.',
  chainsOrAll: 'Choose either specific chains or all of them.',
} as const

const allPrompts = z
  .boolean()
  .describe(
    'It reaches all of its creator’s prompts and the accepted prompts of others, including future ones (D60).',
  )
const allChains = z
  .boolean()
  .describe(
    'It reaches all of its creator’s chains and the accepted chains of others, including future ones (D60).',
  )
export const servedLabels = z
  .array(wantedLabel)
  .max(MCP_TOKEN_LABELS_MAX, `A token can have at most ${MCP_TOKEN_LABELS_MAX} labels`)
  .describe(
    'Labels whose versions it serves: the first one that a prompt or chain has. It can’t reach anything with none of them. Empty: any label; without one in the call, `production` or else the newest version.',
  )
const promptIds = z
  .array(id)
  .max(MCP_TOKEN_RECORDS_MAX, {
    error: () => `A token can reach at most ${MCP_TOKEN_RECORDS_MAX.toLocaleString('en')} prompts`,
  })
  .describe('Ids of prompts that the caller can see, including skills.')
const chainIds = z
  .array(id)
  .max(MCP_TOKEN_RECORDS_MAX, {
    error: () => `A token can reach at most ${MCP_TOKEN_RECORDS_MAX.toLocaleString('en')} chains`,
  })
  .describe('Ids of chains that the caller can see.')

export const mcpToken = z.object({
  ...tokenFields,
  tokenType: z.literal('mcp').describe('Token for agents, at POST /mcp.'),
  allPrompts,
  prompts: z
    .array(z.object({ id, title: z.string().describe('Current title.') }))
    .describe('Its prompts that its creator can see. Empty with allPrompts; otherwise empty means none.'),
  allChains,
  chains: z
    .array(z.object({ id, name: z.string().describe('Current name.') }))
    .describe('Its chains that its creator can see. Empty with allChains; otherwise empty means none.'),
  labels: servedLabels,
})
export type McpToken = z.infer<typeof mcpToken>

interface Reach {
  promptIds?: number[] | undefined
  allPrompts?: boolean | undefined
  chainIds?: number[] | undefined
  allChains?: boolean | undefined
}

const isPromptsOrAll = ({ promptIds: ids = [], allPrompts: all }: Reach) => all !== true || ids.length === 0
const isChainsOrAll = ({ chainIds: ids = [], allChains: all }: Reach) => all !== true || ids.length === 0
const reachesSome = ({ promptIds: one = [], chainIds: other = [], ...all }: Reach) =>
  all.allPrompts === true || all.allChains === true || one.length + other.length > 0

export const createMcpTokenRequest = z
  .strictObject({
    name: tokenName,
    promptIds: promptIds.default([]),
    allPrompts: allPrompts.default(false),
    chainIds: chainIds.default([]),
    allChains: allChains.default(false),
    labels: servedLabels.default([]),
    ...optionalTokenSettings,
  })
  .refine(isPromptsOrAll, { error: MCP_TOKEN_TEXTS.promptsOrAll, path: ['promptIds'] })
  .refine(isChainsOrAll, { error: MCP_TOKEN_TEXTS.chainsOrAll, path: ['chainIds'] })
  .refine(reachesSome, { error: MCP_TOKEN_TEXTS.chooseSome, path: ['promptIds'] })
export type CreateMcpTokenRequest = z.input<typeof createMcpTokenRequest>

export const updateMcpTokenRequest = z
  .strictObject({
    name: tokenName.optional(),
    promptIds: promptIds.optional().describe('These and no others, even if there are none (D38).'),
    allPrompts: allPrompts.optional(),
    chainIds: chainIds.optional().describe('These and no others, even if there are none (D38).'),
    allChains: allChains.optional(),
    labels: servedLabels.optional(),
    ...optionalTokenSettings,
  })
  .refine(isPromptsOrAll, { error: MCP_TOKEN_TEXTS.promptsOrAll, path: ['promptIds'] })
  .refine(isChainsOrAll, { error: MCP_TOKEN_TEXTS.chainsOrAll, path: ['chainIds'] })
export type UpdateMcpTokenRequest = z.input<typeof updateMcpTokenRequest>

export const createdMcpToken = mcpToken.extend(newTokenValue)
export type CreatedMcpToken = z.infer<typeof createdMcpToken>

const seen = (what: string) =>
  z
    .object({
      count: z.int().describe(`How many ${what} it sees in total.`),
      names: z
        .array(
          z.object({
            id: id.describe('Id of the prompt or chain.'),
            name: z.string().describe('Name shown in the client.'),
            title: z.string().describe('Title or name here.'),
          }),
        )
        .describe(`The first ${SEEN_NAMES_MAX}, sorted by name.`),
    })
    .describe(`Its ${what}.`)

export const mcpTokenSees = z.object({
  prompts: seen('prompts'),
  chains: seen('tools that run a chain'),
  skills: seen('skills'),
})
export type McpTokenSees = z.infer<typeof mcpTokenSees>
