import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { handOvers, idempotencyKeys, sessions, variables } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'

const HOUR_MS = 60 * 60 * 1000

describe.each(routeDatabaseKinds)('cleanup on the %s database', (kind) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ kind })
  })
  afterAll(() => app.close())

  it('runs at the start and deletes only what is past its time', async () => {
    const { user } = await app.registerUser()
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
    const key = { actor: `user:${user.id}`, fingerprint: 'f', lockedUntil: at(-30) }
    await app.db.insert(idempotencyKeys).values([
      { ...key, key: 'old', createdAt: at(-24.1) },
      { ...key, key: 'young', createdAt: at(-23.9) },
    ])
    await app.db.insert(sessions).values([
      { userId: user.id, token: 'over', expiresAt: at(-0.1) },
      { userId: user.id, token: 'open', expiresAt: at(0.1) },
    ])

    const named = ['late', 'early'].map((name) => ({
      ownerId: user.id,
      name,
      type: 'text' as const,
      value: '',
    }))
    const [late, early] = await app.db.insert(variables).values(named).returning({ id: variables.id })
    const offer = { ownerId: user.id, userId: user.id, keep: 'nothing' as const }
    await app.db.insert(handOvers).values([
      { ...offer, variableId: late?.id, createdAt: at(-30 * 24 - 0.1) },
      { ...offer, variableId: early?.id, createdAt: at(-30 * 24 + 0.1) },
    ])

    await app.app.start()

    await vi.waitFor(async () => {
      const keys = await app.db.select().from(idempotencyKeys)
      expect(keys.map((row) => row.key)).toEqual(['young'])
      const tokens = (await app.db.select().from(sessions)).map((row) => row.token)
      expect(tokens).toContain('open')
      expect(tokens).not.toContain('over')
      // The session of the registration.
      expect(tokens).toHaveLength(2)
      const offered = (await app.db.select().from(handOvers)).map((row) => row.variableId)
      expect(offered).toEqual([early?.id])
    })
  })
})
