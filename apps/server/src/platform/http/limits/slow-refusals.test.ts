import { fastify } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuseSlowly } from './slow-refusals.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a caller who asks too often is refused after a moment, others are answered at once', async () => {
  const app = fastify()
  refuseSlowly(app)
  for (const status of [200, 403, 429]) app.get(`/${status}`, (_request, reply) => reply.code(status).send())
  const answered: number[] = []
  const ask = (path: string) => app.inject(path).then(({ statusCode }) => answered.push(statusCode))
  const refused = ask('/429')
  await ask('/200')
  await ask('/403')
  expect(answered).toEqual([200, 403])
  await vi.advanceTimersByTimeAsync(250)
  await refused
  expect(answered).toEqual([200, 403, 429])
  await app.close()
})
