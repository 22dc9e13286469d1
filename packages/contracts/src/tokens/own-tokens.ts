import * as z from 'zod'
import { id } from '../common.ts'
import { listQuery } from '../lists.ts'
import { TOKEN_TYPES, tokenFields } from './tokens.ts'

const { name, token, createdAt, lastUsed, expiresAt, canReveal, lastError } = tokenFields

const reached = z.int().nullable()

/** One of the caller's tokens of every kind; the list of its kind has the rest of it. */
export const ownToken = z.object({
  id,
  tokenType: z.enum(TOKEN_TYPES).describe('Kind of the token.'),
  name,
  token,
  createdAt,
  expiresAt,
  lastUsed,
  lastClient: z
    .string()
    .nullable()
    .describe('Name and version of the client that used it last, as it said; null: none said so.'),
  lastError,
  canReveal,
  chainId: id.nullable().describe('Chain of a token that runs one chain; null for other kinds.'),
  prompts: reached.describe('How many prompts it names; null: all accessible ones.'),
  chains: reached.describe('How many chains it names; null: all accessible ones.'),
})
export type OwnToken = z.infer<typeof ownToken>

export const listOwnTokensQuery = listQuery.extend({
  tokenType: z.enum(TOKEN_TYPES).optional().describe('Only tokens of this kind.'),
})
export type ListOwnTokensQuery = z.output<typeof listOwnTokensQuery>
