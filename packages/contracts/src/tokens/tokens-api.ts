import * as z from 'zod'
import { idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery } from '../lists.ts'
import { listFetchesQuery, promptFetch } from '../skills.ts'
import {
  createdFolderToken,
  createFolderTokenRequest,
  folderToken,
  updateFolderTokenRequest,
} from './folder-tokens.ts'
import { hookDelivery } from './hooks.ts'
import {
  createdMcpToken,
  createMcpTokenRequest,
  mcpToken,
  mcpTokenSees,
  updateMcpTokenRequest,
} from './mcp-tokens.ts'
import {
  createdOwnToken,
  createOwnTokenRequest,
  hookToken,
  listOwnTokensQuery,
  ownToken,
  ownTokenDetails,
  scopedToken,
  updateOwnTokenRequest,
} from './own-tokens.ts'
import { createdReadToken, createReadTokenRequest, readToken, updateReadTokenRequest } from './read-tokens.ts'
import {
  bestToken,
  chainToken,
  createBestTokenRequest,
  createdBestToken,
  createdChainToken,
  createTokenRequest,
  listTokensQuery,
  newTokenValue,
  rotateTokenRequest,
  tokenValue,
  updateBestTokenRequest,
  updateTokenRequest,
} from './tokens.ts'

export const createdToken = z.union([
  hookToken.extend(newTokenValue),
  createdChainToken,
  createdBestToken,
  createdReadToken,
  createdMcpToken,
  createdFolderToken,
  scopedToken.extend(newTokenValue),
])
export type CreatedToken = z.infer<typeof createdToken>

export const tokensApi = defineApi('tokens', {
  'GET /api/tokens': {
    who: 'user',
    summary: "A chain's tokens, newest first",
    query: listTokensQuery,
    list: chainToken,
    errors: [403, 404],
  },
  'POST /api/tokens': {
    who: 'user',
    summary: 'Create a token for a chain',
    description: 'The reply contains its value.',
    body: createTokenRequest,
    created: createdChainToken,
    errors: [404],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.created', object: 'token' },
  },
  'PATCH /api/tokens/{id}': {
    who: 'user',
    summary: "Change a chain's token, for its creator",
    params: idParams,
    body: updateTokenRequest,
    reply: chainToken,
    activity: { kind: 'token.changed', object: 'token' },
  },
  'DELETE /api/tokens/{id}': {
    who: 'user',
    summary: 'Delete a token, for its creator and editors of its chain',
    params: idParams,
    activity: { kind: 'token.deleted', object: 'token' },
  },
  'GET /api/tokens/{id}/value': {
    who: 'user',
    summary: 'The value of a token of any kind, for its creator',
    params: idParams,
    reply: tokenValue,
    errors: [401, 403, 404, 410, 429],
    perMinute: 30,
    crossSiteCheck: true,
    noStore: true,
    activity: { kind: 'token.revealed', object: 'token' },
  },
  'POST /api/tokens/{id}/rotate': {
    who: 'user',
    summary: 'Rotate a token of any kind, for its creator',
    description: 'The reply contains the new value. The old one keeps working for `overlapMinutes`.',
    params: idParams,
    body: rotateTokenRequest,
    reply: createdToken,
    errors: [403],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.rotated', object: 'token' },
  },
  'GET /api/own-tokens': {
    who: 'user',
    summary: 'Your tokens of every kind, newest first',
    query: listOwnTokensQuery,
    list: ownToken,
    errors: [401],
  },
  'POST /api/own-tokens': {
    who: 'user',
    summary: 'Create a token with any scopes',
    description: 'The reply contains its value.',
    body: createOwnTokenRequest,
    created: createdOwnToken,
    errors: [403, 404],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.created', object: 'token' },
  },
  'GET /api/own-tokens/{id}': {
    who: 'user',
    summary: 'One of your tokens of any kind, with its scopes',
    params: idParams,
    reply: ownTokenDetails,
  },
  'PATCH /api/own-tokens/{id}': {
    who: 'user',
    summary: 'Change one of your tokens of any kind, except its value and kind',
    params: idParams,
    body: updateOwnTokenRequest,
    reply: ownTokenDetails,
    activity: { kind: 'token.changed', object: 'token' },
  },
  'DELETE /api/own-tokens/{id}': {
    who: 'user',
    summary: 'Delete one of your tokens of any kind',
    params: idParams,
    activity: { kind: 'token.deleted', object: 'token' },
  },
})

export const hookDeliveriesApi = defineApi('tokens', {
  'GET /api/own-tokens/{id}/deliveries': {
    who: 'user',
    summary: 'Deliveries to the address of one of your tokens, newest first',
    description: 'Refused ones too. They are kept as long as runs are, and at least 7 days.',
    params: idParams,
    query: listQuery,
    list: hookDelivery,
    errors: [401, 404],
  },
})

export const bestTokensApi = defineApi('tokens', {
  'GET /api/best-tokens': {
    who: 'user',
    summary: 'Your Best Chain tokens, newest first',
    query: listQuery,
    list: bestToken,
    errors: [401],
  },
  'POST /api/best-tokens': {
    who: 'user',
    summary: 'Create a Best Chain token',
    description: 'The reply contains its value.',
    body: createBestTokenRequest,
    created: createdBestToken,
    errors: [404],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.created', object: 'token' },
  },
  'PATCH /api/api-tokens/{id}': {
    who: 'user',
    summary: 'Change a Best Chain token, except its value',
    params: idParams,
    body: updateBestTokenRequest,
    reply: bestToken,
    activity: { kind: 'token.changed', object: 'token' },
  },
  'DELETE /api/api-tokens/{id}': {
    who: 'user',
    summary: 'Delete a Best Chain token',
    params: idParams,
    activity: { kind: 'token.deleted', object: 'token' },
  },
})

export const readTokensApi = defineApi('tokens', {
  'GET /api/read-tokens': {
    who: 'user',
    summary: 'Your read tokens, newest first',
    query: listQuery,
    list: readToken,
    errors: [401],
  },
  'POST /api/read-tokens': {
    who: 'user',
    summary: 'Create a read token, for code that fetches prompts',
    description: 'The reply contains its value.',
    body: createReadTokenRequest,
    created: createdReadToken,
    errors: [404],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.created', object: 'token' },
  },
  'PATCH /api/read-tokens/{id}': {
    who: 'user',
    summary: 'Change a read token, except its value',
    params: idParams,
    body: updateReadTokenRequest,
    reply: readToken,
    activity: { kind: 'token.changed', object: 'token' },
  },
  'DELETE /api/read-tokens/{id}': {
    who: 'user',
    summary: 'Delete a read token',
    params: idParams,
    activity: { kind: 'token.deleted', object: 'token' },
  },
})

export const mcpTokensApi = defineApi('tokens', {
  'GET /api/mcp-tokens': {
    who: 'user',
    summary: 'Your tokens for agents, newest first',
    query: listQuery,
    list: mcpToken,
    errors: [401],
  },
  'POST /api/mcp-tokens': {
    who: 'user',
    summary: 'Create a token for agents, for MCP clients that connect to POST /mcp',
    description: 'The reply contains its value.',
    body: createMcpTokenRequest,
    created: createdMcpToken,
    errors: [404],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.created', object: 'token' },
  },
  'PATCH /api/mcp-tokens/{id}': {
    who: 'user',
    summary: 'Change a token for agents, except its value',
    params: idParams,
    body: updateMcpTokenRequest,
    reply: mcpToken,
    activity: { kind: 'token.changed', object: 'token' },
  },
  'DELETE /api/mcp-tokens/{id}': {
    who: 'user',
    summary: 'Delete a token for agents and close its connections',
    params: idParams,
    activity: { kind: 'token.deleted', object: 'token' },
  },
})

export const mcpSeesApi = defineApi('tokens', {
  'GET /api/mcp-tokens/{id}/sees': {
    who: 'user',
    summary: 'What a client that connects with a token sees now, for its creator',
    params: idParams,
    reply: mcpTokenSees,
    errors: [401],
  },
})

export const folderTokensApi = defineApi('tokens', {
  'GET /api/folder-tokens': {
    who: 'user',
    summary: 'Your folder tokens, newest first',
    query: listQuery,
    list: folderToken,
    errors: [401],
  },
  'POST /api/folder-tokens': {
    who: 'user',
    summary: 'Create a folder token, for commands such as `catenary pull`',
    description: 'The reply contains its value.',
    body: createFolderTokenRequest,
    created: createdFolderToken,
    errors: [401],
    notReplayed: 'unless secrets are kept',
    noStore: true,
    activity: { kind: 'token.created', object: 'token' },
  },
  'PATCH /api/folder-tokens/{id}': {
    who: 'user',
    summary: 'Change a folder token, except its value',
    params: idParams,
    body: updateFolderTokenRequest,
    reply: folderToken,
    activity: { kind: 'token.changed', object: 'token' },
  },
  'DELETE /api/folder-tokens/{id}': {
    who: 'user',
    summary: 'Delete a folder token',
    params: idParams,
    activity: { kind: 'token.deleted', object: 'token' },
  },
})

export const fetchesApi = defineApi('tokens', {
  'GET /api/fetches': {
    who: 'user',
    summary: 'Fetches with your tokens, newest first',
    description:
      'For each prompt and skill that you can see: which version, by which label, with which client.',
    query: listFetchesQuery,
    list: promptFetch,
    errors: [401],
  },
})
