import type { CreatedFolderToken, FolderToken } from '@catenary/contracts'
import { answers, fails, never, together } from './network.ts'
import type { State } from './state.ts'
import { fill, inTurn, press, seen } from './steps.ts'

const TOKENS = '/api/folder-tokens'
const token = (id: number, name: string, fields: Partial<FolderToken> = {}): FolderToken => ({
  ...{
    id,
    name,
    token: 'ctf_4Lmn…',
    tokenType: 'folder',
    createdBy: 'ada',
    mayWrite: false,
    mayEvaluate: false,
  },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', expiresAt: null, requestsPerMinute: null, callsAtOnce: null },
  ...{ monthlyBudgetUsd: null, lastUsed: null, calls: 0, savedCalls: 0, inputTokens: 0, outputTokens: 0 },
  ...{ costUsd: 0, monthCostUsd: 0, lastError: null, previousUntil: null },
  ...{ canReveal: false, canEdit: true, canDelete: true },
  ...fields,
})
const LIST: FolderToken[] = [
  token(3, 'CI of our prompts', { mayWrite: true, mayEvaluate: true, lastUsed: '2026-11-26T08:00:00.000Z' }),
  token(2, 'The repository of everything that the support team writes, on the machine under the stairs', {
    mayWrite: true,
  }),
  token(1, 'Backup'),
]
const CREATED: CreatedFolderToken = {
  ...token(4, 'CI'),
  token: 'ctf_4LmnaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaQ',
}
const start = { who: 'user', path: '/?export=new' } as const
const name = fill('A token for it', 'CI')

/** Taking things along. */
export const exportStates: readonly State[] = [
  { ...start, name: 'export', network: answers(TOKENS, LIST), prepare: seen('CI of our prompts') },
  {
    ...start,
    name: 'export-no-tokens',
    network: answers(TOKENS, []),
    prepare: seen('No folder tokens created yet.'),
  },
  {
    ...start,
    name: 'export-promptfoo',
    network: answers(TOKENS, LIST),
    prepare: inTurn(
      async (page) => page.getByRole('radio', { name: /^promptfoo/ }).click(),
      seen('promptfoo, as it looks'),
    ),
  },
  { ...start, name: 'export-loading', only: 'desk', network: never(TOKENS), prepare: seen('Keep it in Git') },
  {
    ...start,
    name: 'export-tokens-failed',
    network: fails(TOKENS),
    prepare: seen('Failed to load API tokens'),
  },
  {
    ...start,
    name: 'export-token-made',
    network: together(async (page) => {
      await page.route('**/api/folder-tokens', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 201, json: CREATED })
          : route.fulfill({ json: LIST }),
      )
    }),
    prepare: inTurn(name, press('Create token'), seen('This token will only be shown once. Copy it now!')),
  },
  {
    ...start,
    name: 'export-token-refused',
    network: async (page) => {
      await page.route('**/api/folder-tokens', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 429, json: { error: 'Too many requests' } })
          : route.fulfill({ json: LIST }),
      )
    },
    prepare: inTurn(name, press('Create token'), seen('Too many requests')),
  },
]
