import * as z from 'zod'
import { askedSends, chosenSends, keptSends } from '../asks/sends.ts'
import { id, idParam, timestamp } from '../common.ts'
import { askedFills, chosenFills, fills } from '../fills.ts'
import { listQuery } from '../lists.ts'
import { nameText } from '../names.ts'
import { movableLabel } from '../records/labels.ts'

export const TOKEN_MARKS = {
  chain: 'ctc_',
  best: 'ctb_',
  read: 'ctr_',
  mcp: 'ctm_',
  folder: 'ctf_',
  scoped: 'ctk_',
  hook: 'cth_',
} as const
export type TokenType = keyof typeof TOKEN_MARKS
export const TOKEN_TYPES = Object.keys(TOKEN_MARKS) as [TokenType, ...TokenType[]]
export const TOKEN_PREFIX_LENGTH = 8
export const TOKEN_NAME_MAX = 100
export const REQUESTS_PER_MINUTE_MAX = 100_000
export const CALLS_AT_ONCE_MAX = 1_000
const MONTHLY_BUDGET_MAX = 1_000_000
const OVERLAP_MINUTES_MAX = 44_640
const INCLUDED_CHAINS_MAX = 1_000

export const TOKEN_TEXTS = {
  shownOnce: 'This token will only be shown once. Copy it now!',
  noChainTokens: 'No API tokens created yet.',
  noBestTokens: 'No Best Chain API tokens created yet.',
  noBestTokensHint: 'Create a token to use automatic chain selection via API.',
  loadFailed: 'Failed to load API tokens',
  neverUsed: 'Never used',
  unnamed: 'Unnamed Token',
  hidden: 'Token hidden',
  unknownTime: 'Unknown',
  namePlaceholder: 'e.g., Production Token',
  includeAll: 'Include all my accessible chains',
  noChains: 'No chains available. Please create chains first.',
  selectSome: 'Please select at least one chain or choose "Include all my accessible chains."',
  deleteQuestion: 'Are you sure you want to delete this token? This action cannot be undone.',
  mayNotCreate: "You don't have permission to create tokens",
  mayNotDelete: "You don't have permission to delete tokens",
  mayNotCreateForChain: "You don't have permission to create tokens for this chain",
  mayNotDeleteForChain: "You don't have permission to delete tokens for this chain",
  created: 'Token created',
  updated: 'Token updated',
  deleted: 'Token deleted',
  rotated: 'Token rotated',
  copied: 'Copied!',
  invalidName: 'Invalid name',
  invalidNameBody: 'Please provide a name for your API token.',
  errorCreating: 'Error creating token',
  errorCreatingBody: 'An error occurred while creating the token.',
  errorUpdating: 'Error updating token',
  errorDeleting: 'Error deleting token',
  errorRetrieving: 'Error retrieving token',
  errorRetrievingBody: 'Could not retrieve the token for copying. The token may need to be regenerated.',
  copyFailed: 'Copy failed',
  copyFailedBody: 'Could not copy the token to clipboard.',
  notPassed: 'No step of this chain uses {{input}} or {{input_context}}, so it never sees the request.',
} as const

export const tokenName = nameText(TOKEN_TEXTS.invalidNameBody)
  .max(TOKEN_NAME_MAX, `Name must be at most ${TOKEN_NAME_MAX} characters`)
  .describe('Trimmed.')

const tokenSettings = {
  expiresAt: timestamp.nullable().describe('When it expires; null: never.'),
  requestsPerMinute: z
    .int('Requests per minute must be a whole number')
    .min(1, 'Requests per minute must be at least 1')
    .max(REQUESTS_PER_MINUTE_MAX, {
      error: () => `Requests per minute must be at most ${REQUESTS_PER_MINUTE_MAX.toLocaleString('en')}`,
    })
    .nullable()
    .describe('Counted across all processes of the server; null: no limit.'),
  callsAtOnce: z
    .int('Calls at once must be a whole number')
    .min(1, 'Calls at once must be at least 1')
    .max(CALLS_AT_ONCE_MAX, {
      error: () => `Calls at once must be at most ${CALLS_AT_ONCE_MAX.toLocaleString('en')}`,
    })
    .nullable()
    .describe('Each process of the server allows its share, at least 1; null: no limit.'),
  monthlyBudgetUsd: z
    .number('The monthly budget must be a number')
    .min(0, 'The monthly budget must be at least 0')
    .max(MONTHLY_BUDGET_MAX, {
      error: () => `The monthly budget must be at most ${MONTHLY_BUDGET_MAX.toLocaleString('en')}`,
    })
    .nullable()
    .describe('US dollars per calendar month, UTC; null: no limit. Models without a price are not counted.'),
}

export const tokenSwitches = {
  answersHelperJobs: z
    .boolean()
    .describe(
      'Answer background jobs of chat apps (titles, tags, follow-ups, search queries) without running the chain. Default: true.',
    ),
  showsProgress: z
    .boolean()
    .describe('Send the names of earlier steps as thinking or its summary. Default: false.'),
}

export const optionalTokenSettings = {
  ...z.object(tokenSettings).partial().shape,
  fills: chosenFills,
  sends: chosenSends,
}
const optional = { ...optionalTokenSettings, ...z.object(tokenSwitches).partial().shape }

export const chainLabel = movableLabel
  .nullable()
  .describe(
    'Runs the version with this label, and no other can be requested; null: the current chain, or the label in the model’s name.',
  )

/** Of a token that the caller did not create: its calls run with its creator’s private values. */
const OTHERS = 'null: another person’s token (D68).'
const tokenUse = {
  lastUsed: timestamp.nullable().describe(`null: never; ${OTHERS}`),
  calls: z
    .int()
    .nullable()
    .describe(`Calls that ran a chain or prompt or fetched a prompt, whatever their outcome; ${OTHERS}`),
  savedCalls: z
    .int()
    .nullable()
    .describe(`Background jobs of chat apps, answered without running the chain; ${OTHERS}`),
  inputTokens: z.int().nullable().describe(`As reported by the providers; ${OTHERS}`),
  outputTokens: z.int().nullable().describe(`As reported by the providers; ${OTHERS}`),
  costUsd: z
    .number()
    .nullable()
    .describe(`US dollars of all calls with a known price, including the choice of a chain; ${OTHERS}`),
  monthCostUsd: z.number().nullable().describe(`The same for this calendar month, UTC; ${OTHERS}`),
  lastError: z
    .object({
      message: z.string().describe('One sentence to show to a person.'),
      code: z.string().describe('Error code.'),
      at: timestamp,
    })
    .nullable()
    .describe('The last call that failed or was refused; null: none.'),
}

export const tokenFields = {
  id,
  name: z.string().describe('Name shown in lists.'),
  token: z.string().describe(`Its first ${TOKEN_PREFIX_LENGTH} characters.`),
  createdBy: z.string().describe('Username of the person its calls run as.'),
  createdAt: timestamp,
  ...tokenSettings,
  ...tokenUse,
  previousUntil: timestamp
    .nullable()
    .describe('When the value from before the last rotation stops working; null: there is none.'),
  fills,
  asksToFill: askedFills,
  sends: keptSends,
  asksToSend: askedSends,
  canReveal: z.boolean().describe('The caller may copy its value: they created it, and values are stored.'),
  canEdit: z.boolean().describe('The caller created it.'),
  canDelete: z.boolean().describe('The caller may revoke it.'),
}

export const chainToken = z.object({
  ...tokenFields,
  ...tokenSwitches,
  tokenType: z
    .enum(['chain', 'hook'])
    .describe('`chain`: token that runs one chain; `hook`: the address at which it is started.'),
  chainId: id,
  chainLabel,
})
export type ChainToken = z.infer<typeof chainToken>

export const threshold = z
  .number('Threshold must be a number')
  .min(0, 'Threshold must be at least 0')
  .max(1, 'Threshold must be at most 1')
  .nullable()
  .describe(
    'Below this confidence no chain runs, and the answer asks which of up to three chains is meant; null: never.',
  )

export const bestToken = z.object({
  ...tokenFields,
  ...tokenSwitches,
  tokenType: z.literal('best').describe('Token that has a chain chosen for each request.'),
  includesAllChains: z
    .boolean()
    .describe(
      'It reaches all of its creator’s chains and the accepted chains of others, including future ones (D38, D60).',
    ),
  includedChainIds: z
    .array(id)
    .describe('Empty with includesAllChains; otherwise empty means that it no longer reaches any.'),
  includedChains: z
    .array(z.object({ id, name: z.string().describe('Current name.') }))
    .describe('The included chains that its creator can see.'),
  threshold,
  lastSelection: z
    .object({
      chainId: id.nullable(),
      chainName: z.string().describe('Name at that time.'),
      confidence: z.number().nullable().describe('0 to 1; null: the request named the chain.'),
    })
    .nullable()
    .describe('null: none yet.'),
})
export type BestToken = z.infer<typeof bestToken>

export const listTokensQuery = listQuery.extend({
  chainId: idParam.describe('Id of the chain whose tokens are listed.'),
})

export const createTokenRequest = z.strictObject({
  name: tokenName,
  chainId: id,
  chainLabel: chainLabel.optional(),
  ...optional,
})
export type CreateTokenRequest = z.input<typeof createTokenRequest>

export const updateTokenRequest = z.strictObject({
  name: tokenName.optional(),
  chainLabel: chainLabel.optional(),
  ...optional,
})
export type UpdateTokenRequest = z.input<typeof updateTokenRequest>

const includedChainIds = z
  .array(id)
  .max(INCLUDED_CHAINS_MAX)
  .describe(
    'Ids of chains that the caller can see; empty: all of their own and the accepted chains of others, including future ones.',
  )

export const createBestTokenRequest = z.strictObject({
  name: tokenName,
  includedChainIds: includedChainIds.default([]),
  threshold: threshold.optional(),
  ...optional,
})
export type CreateBestTokenRequest = z.input<typeof createBestTokenRequest>

export const updateBestTokenRequest = z.strictObject({
  name: tokenName.optional(),
  includedChainIds: includedChainIds
    .optional()
    .describe(
      'Empty: all chains, unless the token no longer reached any; then includesAllChains is needed too (D38).',
    ),
  includesAllChains: z
    .literal(true)
    .optional()
    .describe('Extends it to all of the caller’s chains and the accepted chains of others.'),
  threshold: threshold.optional(),
  ...optional,
})
export type UpdateBestTokenRequest = z.input<typeof updateBestTokenRequest>

export const newTokenValue = {
  token: z.string().describe('Value of the token, returned only here and by GET /api/tokens/{id}/value.'),
}

export const createdChainToken = chainToken.extend(newTokenValue)
export type CreatedChainToken = z.infer<typeof createdChainToken>

export const createdBestToken = bestToken.extend(newTokenValue)
export type CreatedBestToken = z.infer<typeof createdBestToken>

export const tokenValue = z.object({ token: z.string().describe('Value of the token.') })

export const rotateTokenRequest = z
  .strictObject({
    overlapMinutes: z
      .int('Choose how long the old value keeps working')
      .min(0)
      .max(OVERLAP_MINUTES_MAX)
      .default(0)
      .describe('Minutes for which the current value keeps working; 0: it stops at once.'),
  })
  .nullish()
