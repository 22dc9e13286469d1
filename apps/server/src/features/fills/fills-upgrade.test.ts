import { readdirSync, readFileSync } from 'node:fs'
import type { Prompt } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Mcp, startMcp } from '../../testing/mcp.ts'

const MIGRATIONS = new URL('../../database/migrations/', import.meta.url)
const MIGRATION = readdirSync(MIGRATIONS).filter((name) => name.endsWith('_fills.sql'))
/** What the migration does with the data, its columns being there. */
const STATEMENTS = readFileSync(new URL(MIGRATION.join(), MIGRATIONS), 'utf8')
  .split('--> statement-breakpoint')
  .filter((statement) => !statement.trim().startsWith('ALTER TABLE'))

describe.each(routeDatabaseKinds)('the upgrade to consented values, on %s', (kind) => {
  let server: Mcp
  beforeAll(async () => {
    server = await startMcp(kind)
  })
  afterAll(() => server.close())

  const write = async (as: TestUser, { id, title }: Pick<Prompt, 'id' | 'title'>, content: string) => {
    const body = { title, content, categoryId: server.categoryId }
    const reply = await server.request({ method: 'PUT', url: `/api/prompts/${id}`, body, as })
    expect(reply.status, reply.text).toBe(200)
  }
  /** As the version before wrote it, then upgraded. */
  async function upgrade() {
    const named = ['prompts', 'prompt_versions', 'chain_steps', 'chain_versions', 'prompt_skills']
    const listed = ['api_tokens', 'scheduled_runs', 'prompt_acceptances', 'chain_acceptances']
    for (const table of named) await server.db.execute(sql.raw(`update ${table} set named_by = '{}'`))
    for (const table of listed) await server.db.execute(sql.raw(`update ${table} set fills = '[]'`))
    await server.db.transaction(async (tx) => {
      for (const statement of STATEMENTS) await tx.execute(sql.raw(statement))
    })
  }
  const rows = async (query: ReturnType<typeof sql>) => (await server.db.execute(query)).rows

  test('At the upgrade a name is its author’s by the versions, else the owner’s; tokens, schedules and acceptances go on with what their texts hold.', async () => {
    const { owner, other } = server
    await server.createVariable(owner, { name: 'client', content: 'Secret' })
    await server.createVariable(owner, { name: 'Key', content: 'Secret' })
    const own = await server.createPrompt(owner, { title: 'Own', content: '$<client> $<gone>' })
    const shares = { url: `/api/prompts/${own.id}/shares`, body: [{ username: 'Oskar', role: 'editor' }] }
    await server.request({ method: 'PUT', ...shares, as: owner })
    await write(other, own, '$<client> $<key>')
    await write(owner, own, '$<client> $<key> $<late>')
    await write(other, own, '$<key> $<late>')
    await write(other, own, '$<key> $<late> $<client>')
    const chain = await server.buildChain([{ promptId: own.id }, 'Step $<Key>'])
    const { id: tokenId } = await server.createReadToken([own.id], { fills: [] })
    // As that version kept what a token names.
    await server.db.execute(sql`insert into api_token_prompts values (${tokenId}, ${own.id})`)
    const accepted = await server.createPrompt(other, { title: 'Nice', content: '$<key>', isPublic: true })
    const body = { promptIds: [accepted.id], fills: [] }
    await server.request({ method: 'POST', url: '/api/prompt-acceptances', body, as: owner })
    await upgrade()

    const [mine, his] = [owner.user.id, other.user.id]
    expect(await rows(sql`select named_by from prompts where id = ${own.id}`)).toEqual([
      { named_by: { key: his, late: mine, client: his } },
    ])
    const versions = sql`select named_by from prompt_versions where prompt_id = ${own.id} order by number`
    expect(await rows(versions)).toEqual([
      { named_by: { client: mine, gone: mine } },
      { named_by: { client: mine, key: his } },
      { named_by: { client: mine, key: his, late: mine } },
      { named_by: { key: his, late: mine } },
      { named_by: { key: his, late: mine, client: his } },
    ])
    const [, step] = chain.steps
    expect(await rows(sql`select named_by from chain_steps where id = ${step?.id}`)).toEqual([
      { named_by: { key: mine } },
    ])
    const pairs = ['client', 'key'].map((name) => ({ kind: 'prompt', id: own.id, name }))
    expect(await rows(sql`select fills from api_tokens where id = ${tokenId}`)).toEqual([{ fills: pairs }])
    const [acceptance] = await rows(
      sql`select fills from prompt_acceptances where prompt_id = ${accepted.id}`,
    )
    expect(acceptance).toEqual({ fills: [{ kind: 'prompt', id: accepted.id, name: 'key' }] })
  })
})
