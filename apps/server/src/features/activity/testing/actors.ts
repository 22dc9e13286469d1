import {
  type Caller,
  type CreatedOwnToken,
  type Endpoint,
  type TOKEN_CALLERS,
  TOKEN_TYPES,
  type TokenScope,
  type TokenType,
} from '@catenary/contracts'
import { expect } from 'vitest'
import type { EvaluationLab } from '../../../testing/evaluations.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { newPerson, WRITTEN, written } from './recorded-objects.ts'

/** Who calls: somebody by a session, a token, or nobody who is known. */
export interface Actor {
  as?: TestUser
  token?: string
  /** Absent: the token is unknown, or works no longer. */
  grant?: { tokenId: number; holder: TestUser }
}

interface Reach {
  promptId: number
  slug: string
  chainId: number
}

const ABILITIES = ['read', 'resolve', 'run', 'agent', 'folder.read', 'folder.write', 'evaluate'] as const

/** Each kind of token with all that it can do. */
const SCOPES: Record<TokenType, readonly TokenScope[] | ((reach: Reach) => TokenScope[])> = {
  chain: ({ chainId }) => [`chain:${chainId}`, 'run'],
  best: ['chains', 'run'],
  read: ({ promptId }) => [`prompt:${promptId}`, 'read', 'resolve', 'run'],
  mcp: ['prompts', 'chains', 'agent'],
  folder: ['folder.read', 'folder.write', 'evaluate'],
  scoped: ['prompts', 'chains', ...ABILITIES],
  hook: ({ chainId }) => [`chain:${chainId}`, 'hook'],
}

/** A prompt and a chain that run. */
export async function makeReach(lab: EvaluationLab, as: TestUser): Promise<Reach> {
  const { id: promptId, slug } = await lab.makePrompt(1, { as })
  const { id: chainId } = await lab.buildChain(['{{input}}'], { as })
  return { promptId, slug, chainId }
}

export async function makeToken(
  lab: EvaluationLab,
  { kind, as, reach }: { kind: TokenType; as: TestUser; reach?: Reach },
): Promise<{ id: number; token: string }> {
  const wanted = SCOPES[kind]
  const scopes = typeof wanted === 'function' ? wanted(reach ?? (await makeReach(lab, as))) : wanted
  const body = { name: written('Token'), scopes }
  const made = await lab.send<CreatedOwnToken>('POST', '/api/own-tokens', { body, as })
  expect(made.tokenType).toBe(kind)
  WRITTEN.push(made.token)
  return made
}

type TokenCaller = (typeof TOKEN_CALLERS)[number]

const OPENERS: Record<TokenCaller, readonly TokenType[]> = {
  'agents token': ['mcp', 'scoped'],
  'chain token': ['chain', 'best', 'scoped'],
  'folder token': ['folder', 'scoped'],
  'hook token': ['hook'],
  'read token': ['read', 'scoped'],
  'skills token': ['read', 'mcp', 'scoped'],
}
/** What is said of a call, where its door is open to more kinds than the call itself, or to fewer. */
const OF_CALL: Record<string, readonly TokenType[]> = {
  'POST /v1/responses': ['chain', 'best', 'read', 'scoped'],
  'POST /v1/route': ['best', 'scoped'],
}

const isOfTokens = (who: Caller): who is TokenCaller => who.endsWith(' token')

/** The kinds of tokens that may make a call; none where sessions alone do. */
export const openersOf = (key: string, { who }: Pick<Endpoint, 'who'>): readonly TokenType[] =>
  isOfTokens(who) ? (OF_CALL[key] ?? OPENERS[who]) : []

const person = (lab: EvaluationLab, role: 'user' | 'admin'): Promise<TestUser> =>
  lab.registerUser({ username: written('Person').replace(' ', ''), role })

async function ended(lab: EvaluationLab, end: (token: { id: number; as: TestUser }) => Promise<unknown>) {
  const as = await newPerson(lab)
  const { id, token } = await makeToken(lab, { kind: 'scoped', as })
  await end({ id, as })
  return { token }
}

const ofKind = (kind: TokenType) => async (lab: EvaluationLab) => {
  const holder = await newPerson(lab)
  const { id, token } = await makeToken(lab, { kind, as: holder })
  return { token, grant: { tokenId: id, holder } }
}

/** Each way to call; those of tokens that work are their kinds. */
export const ACTORS: Record<string, (lab: EvaluationLab) => Promise<Actor>> = {
  nobody: async () => ({}),
  'a person': async (lab) => ({ as: await person(lab, 'user') }),
  'an administrator': async (lab) => ({ as: await person(lab, 'admin') }),
  'an unknown token': async () => ({ token: `ctk_${'a'.repeat(46)}` }),
  'a deleted token': (lab) =>
    ended(lab, ({ id, as }) => lab.send('DELETE', `/api/own-tokens/${id}`, { as, status: 204 })),
  'an expired token': (lab) =>
    ended(lab, ({ id }) =>
      lab.client.pool.query(`update api_tokens set expires_at = now() - interval '1 day' where id = $1`, [
        id,
      ]),
    ),
  'the token of a disabled account': (lab) =>
    ended(lab, ({ as }) =>
      lab.send('PATCH', `/api/admin/users/${as.user.id}`, { body: { disabled: true }, as: lab.admin }),
    ),
  ...Object.fromEntries(TOKEN_TYPES.map((kind) => [kind, ofKind(kind)])),
}

/** Whether the table lets them in. */
export function isAdmitted(name: string, [key, endpoint]: [key: string, endpoint: Endpoint]): boolean {
  const { who } = endpoint
  if (isOfTokens(who)) return openersOf(key, endpoint).some((kind) => kind === name)
  if (who === 'guest' || name === 'an administrator') return true
  return who === 'user' && name === 'a person'
}

/** The status of a call that is refused, and the row that it leaves. */
export function refusalOf([key, { who, activity }]: [key: string, endpoint: Endpoint], actor: Actor) {
  const { as, token, grant } = actor
  if (isOfTokens(who)) {
    // Nobody tried: a session is not looked at here.
    if (token === undefined) return { status: 401, row: undefined }
    const row = {
      kind: 'token.call_refused',
      objectType: 'token',
      objectId: grant?.tokenId ?? null,
      personId: grant?.holder.user.id ?? null,
      door: who === 'agents token' ? 'agent' : 'token',
    }
    // Nobody learns of an address why it is none.
    return { status: grant === undefined || who === 'hook token' ? 401 : 403, row }
  }
  // Nobody is known: a token is not looked at here.
  if (as === undefined) return { status: 401, row: undefined }
  const { id } = as.user
  const row = { personId: id, door: 'page' }
  if (activity === undefined || 'none' in activity || typeof activity.kind !== 'string') {
    return { status: 403, row: { ...row, kind: 'account.call_refused', objectType: 'account', objectId: id } }
  }
  const objectId = /\{(id|userId)\}/.test(key) ? 7 : null
  return {
    status: 403,
    row: { ...row, kind: `${activity.kind}_refused`, objectType: activity.object, objectId },
  }
}
