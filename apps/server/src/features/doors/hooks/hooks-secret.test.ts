import { Writable } from 'node:stream'
import type { CreatedOwnToken } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OWN_TABLES } from '../../../database/schema/table-records.ts'
import { createLog } from '../../../platform/log/log.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

describe.each(routeDatabaseKinds)('the path of a chain’s own address, on %s', (kind) => {
  const lines: string[] = []
  let gateway: Gateway
  beforeAll(async () => {
    const destination = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk))
        done()
      },
    })
    gateway = await startGateway(kind, {}, {}, { log: createLog({ level: 'trace', destination }) })
    gateway.fake.replyByDefault({ text: 'Done' })
  })
  afterAll(() => gateway.close())

  test('No log line and no row holds the path of an address, however it is called.', async () => {
    const chain = await gateway.buildChain(['{{input}}'])
    const body = { name: 'GitHub', scopes: [`chain:${chain.id}`, 'hook'] }
    const made = await gateway.request({ method: 'POST', url: '/api/own-tokens', as: gateway.owner, body })
    const { token } = made.body as CreatedOwnToken
    const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const sent = method === 'GET' ? {} : { body: '{"a": 1}' }
      const type = { 'content-type': 'application/json' }
      const reply = await fetch(`${gateway.address}${path}`, {
        method,
        headers: { ...type, ...headers },
        ...sent,
      })
      return [reply.status, await reply.text()] as const
    }
    const [status, text] = await send('POST', `/hooks/${token}`)
    expect(status).toBe(202)
    await gateway.ended((JSON.parse(text) as { executionId: number }).executionId)
    const others = [
      await send('GET', `/hooks/${token}`),
      await send('POST', `/hooks/${token}x`),
      await send('POST', `/hooks/${token}`, { 'content-type': 'application/xml' }),
      await send('PUT', `/hooks/${token}`),
      await send('DELETE', `/hooks/${token}?a=1`),
      await send('POST', `/hooks/${token}/more`),
      await send('GET', `/hooks/${token}/more`),
      await send('PUT', `/h%6Foks/${token}`),
      await send('PUT', `//hooks//${token}`),
      await send('POST', `/hooks/${token}%ff`),
    ]
    expect(others.map(([code]) => code)).toEqual([405, 401, 415, 404, 404, 404, 404, 404, 404, 400])
    expect(lines.filter((line) => line.includes('/hooks/')).length).toBeGreaterThan(8)
    const secret = token.slice(8)
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
    expect(others.filter(([, said]) => said.includes(secret))).toEqual([])
    for (const table of OWN_TABLES) {
      if (table === 'jobs') continue
      const { rows } = await gateway.db.execute(
        sql`select count(*)::integer as found from ${sql.identifier(table)} as t where t::text like ${`%${secret}%`}`,
      )
      expect([table, rows]).toEqual([table, [{ found: 0 }]])
    }
  })
})
