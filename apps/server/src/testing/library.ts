import type { Category, Chain, ChainStep, Prompt, Tag, TagKind, Variable } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import type { DatabaseClient } from '../database/open/client.ts'
import { startApp, type TestUser } from './harness.ts'

export type Library = Awaited<ReturnType<typeof startLibrary>>

/** An app with three people, and short ways to fill it. */
export async function startLibrary(
  kind: DatabaseClient['kind'],
  options: Parameters<typeof startApp>[0] = {},
) {
  const app = await startApp({ ...options, kind })
  const owner = await app.registerUser({ username: 'Olga' })
  const other = await app.registerUser({ username: 'Oskar' })
  const admin = await app.registerUser({ username: 'Adam', role: 'admin' })
  const categories = (await app.request({ url: '/api/categories' })).body as Category[]
  const categoryId = categories[0]?.id ?? 0

  const create = async <T>(as: TestUser, url: string, body: unknown): Promise<T> => {
    const reply = await app.request({ method: 'POST', url, body, as })
    if (reply.status !== 201) throw new Error(`${url}: ${reply.text}`)
    return reply.body as T
  }

  let stepsMade = 0
  return {
    ...app,
    owner,
    other,
    admin,
    categoryId,
    createPrompt: (as: TestUser, fields: object = {}) =>
      create<Prompt>(as, '/api/prompts', { ...promptBody({ categoryId }), ...fields }),
    createVariable: (as: TestUser, fields: object = {}) =>
      create<Variable>(as, '/api/variables', { name: 'tone', type: 'text', content: 'warm', ...fields }),
    createChain: (as: TestUser, fields: object = {}) =>
      create<Chain>(as, '/api/chains', { name: 'Letter', ...fields }),
    /** With an output name of its own. */
    createStep: (as: TestUser, chainId: number, fields: object = {}) => {
      stepsMade += 1
      const body = { content: 'Write.', outputVariableName: `step_${stepsMade}`, position: stepsMade }
      return create<ChainStep>(as, `/api/chains/${chainId}/steps`, { ...body, ...fields })
    },
    /** Sends all while their row is locked, and lets go once each of them waits. On a server only. */
    sendAtOnce: async <T>({
      table,
      id,
      sends,
    }: {
      table: string
      id: number
      sends: (() => Promise<T>)[]
    }) => {
      const replies = await app.db.transaction(async (tx) => {
        await tx.execute(sql`select 1 from ${sql.identifier(table)} where id = ${id} for update`)
        const sent = sends.map((send) => send())
        await vi.waitFor(async () => expect(await countWaiting(app.db)).toBe(sends.length))
        return { sent }
      })
      return Promise.all(replies.sent)
    },
    createTag: (as: TestUser, name: string, url = '/api/tags') => create<Tag>(as, url, { name }),
  }
}

/** The collection of each kind of tag. */
export const TAG_PATHS: Record<TagKind, string> = {
  prompt: '/api/tags',
  variable: '/api/variables/tags',
  chain: '/api/chain-tags',
}

/** The smallest body that a prompt can be saved with. */
export function promptBody({ categoryId }: { categoryId: number }) {
  return { title: 'Welcome', content: 'Write a $<tone> welcome for $<customer>.', categoryId }
}

export async function countWaiting(db: Awaited<ReturnType<typeof startApp>>['db']): Promise<number> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await db.execute(waiting)).rows.length
}
