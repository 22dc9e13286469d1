import * as z from 'zod'
import { id } from '../common.ts'
import { listQuery } from '../lists.ts'
import { HOOK_TEXTS, hookSettings, shownHookSettings } from './hooks.ts'
import { MCP_TOKEN_TEXTS, servedLabels } from './mcp-tokens.ts'
import { isHook, kindOfScopes, type TokenScope, tokenScope } from './scopes.ts'
import {
  chainLabel,
  newTokenValue,
  optionalTokenSettings,
  TOKEN_TYPES,
  threshold,
  tokenFields,
  tokenName,
  tokenSwitches,
} from './tokens.ts'

const SCOPES_MAX = 2_000

export const SCOPE_TEXTS = {
  none: 'Choose at least one scope.',
  otherKind: 'This kind of token can’t have these scopes. Create another token.',
  labelOfOneChain: 'Only a token for one chain can have a label.',
} as const

const { name, token, createdAt, lastUsed, expiresAt, canReveal, lastError } = tokenFields

const reached = z.int().nullable()
const tokenType = z
  .enum(TOKEN_TYPES)
  .describe('Kind of token: the one with exactly these scopes, or else `scoped`.')
const chainId = id.nullable().describe('Chain of a token that runs one chain; null for other kinds.')
const scopes = z.array(tokenScope).describe('What it reaches, and what it may do there.')

export const ownToken = z.object({
  id,
  tokenType,
  name,
  token,
  createdAt,
  expiresAt,
  lastUsed,
  lastClient: z
    .string()
    .nullable()
    .describe('Name and version given by the client that used it last; null: none.'),
  lastError,
  canReveal,
  chainId,
  prompts: reached.describe('How many prompts it names; null: all accessible ones.'),
  chains: reached.describe('How many chains it names; null: all accessible ones.'),
})
export type OwnToken = z.infer<typeof ownToken>

export const ownTokenDetails = z.object({
  ...tokenFields,
  ...tokenSwitches,
  ...shownHookSettings,
  tokenType,
  scopes,
  chainId,
  chainLabel,
  threshold,
  labels: servedLabels,
  namedPrompts: z
    .array(z.object({ id, title: z.string().describe('Current title.') }))
    .describe('The prompts it names, if its creator can see them.'),
  namedChains: z
    .array(z.object({ id, name: z.string().describe('Current name.') }))
    .describe('The chains it names, if its creator can see them.'),
})
export type OwnTokenDetails = z.infer<typeof ownTokenDetails>

export const scopedToken = ownTokenDetails.extend({
  tokenType: z.literal('scoped').describe('Token whose scopes match no other kind.'),
})
export type ScopedToken = z.infer<typeof scopedToken>

export const hookToken = ownTokenDetails.extend({
  tokenType: z.literal('hook').describe('Token of a chain’s own address.'),
})
export type HookToken = z.infer<typeof hookToken>

export const createdOwnToken = ownTokenDetails.extend(newTokenValue)
export type CreatedOwnToken = z.infer<typeof createdOwnToken>

export const listOwnTokensQuery = listQuery.extend({
  tokenType: z.enum(TOKEN_TYPES).optional().describe('Only tokens of this kind.'),
})
export type ListOwnTokensQuery = z.output<typeof listOwnTokensQuery>

const chosenScopes = scopes
  .min(1, SCOPE_TEXTS.none)
  .max(SCOPES_MAX, { error: () => `A token can have at most ${SCOPES_MAX.toLocaleString('en')} scopes` })
  .refine((chosen) => !(chosen.includes('prompts') && chosen.some((scope) => scope.startsWith('prompt:'))), {
    error: MCP_TOKEN_TEXTS.promptsOrAll,
  })
  .refine((chosen) => !(chosen.includes('chains') && chosen.some((scope) => scope.startsWith('chain:'))), {
    error: MCP_TOKEN_TEXTS.chainsOrAll,
  })
  .refine((chosen) => !chosen.includes('hook') || isHook(chosen), { error: HOOK_TEXTS.shape })

function isOfBest(scopes: readonly TokenScope[]): boolean {
  const kind = kindOfScopes(scopes)
  return kind === 'best' || kind === 'chain'
}

const settings = {
  ...optionalTokenSettings,
  ...z.object(tokenSwitches).partial().shape,
  chainLabel: chainLabel.optional(),
  threshold: threshold.optional(),
  labels: servedLabels.optional(),
  ...hookSettings,
}

/** A single chain with `run` makes a chain token, which takes the right to edit that chain. */
export const createOwnTokenRequest = z
  .strictObject({
    name: tokenName,
    scopes: chosenScopes,
    tokenType: z
      .literal('best')
      .optional()
      .describe(
        'Creates a Best Chain token from scopes that name a single chain. Default: the kind that fits its scopes.',
      ),
    ...settings,
  })
  .refine(({ scopes, tokenType }) => tokenType === undefined || isOfBest(scopes), {
    error: SCOPE_TEXTS.otherKind,
    path: ['scopes'],
  })
export type CreateOwnTokenRequest = z.input<typeof createOwnTokenRequest>

export const updateOwnTokenRequest = z.strictObject({
  name: tokenName.optional(),
  scopes: chosenScopes.optional(),
  ...settings,
})
export type UpdateOwnTokenRequest = z.input<typeof updateOwnTokenRequest>
