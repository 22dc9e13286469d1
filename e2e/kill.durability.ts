import { setTimeout as sleep } from 'node:timers/promises'
import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const KILLS = 20
const WRITERS = 4

let server: RunningServer
let api: Api
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
})
afterAll(() => server.dispose())

test(`${KILLS} times killed while prompts are written and edited, the program has all that it answered 2xx`, async () => {
  showLogsOnFailure(server)
  const acknowledged = new Map<number, string>()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = acknowledged.size
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilDown({ name: `${kill}.${writer}`, acknowledged }),
    )
    await sleep(20 + ((kill * 37) % 150))
    // At its slowest the machine answers one write in that time: the second is then under way.
    while (acknowledged.size < before + 2) await sleep(5)
    await server.kill()
    await Promise.all(writers)
    await server.restart()
    const stored = new Map((await api.get<Prompt[]>('/api/prompts')).map(({ id, content }) => [id, content]))
    const lost = [...acknowledged].filter(([id, content]) => !isThere(stored.get(id), content))
    expect(lost, `after kill ${kill + 1}`).toEqual([])
  }
}, 450_000)

/** An edit that was not answered may have been stored all the same; nothing older may stand there. */
function isThere(stored: string | undefined, acknowledged: string): boolean {
  return stored === acknowledged || stored === `${acknowledged} edited`
}

async function writeUntilDown({
  name,
  acknowledged,
}: {
  name: string
  acknowledged: Map<number, string>
}): Promise<void> {
  for (let round = 0; ; round += 1) {
    const content = `written by ${name} in round ${round}`
    const prompt = { title: name, categoryId: 1 }
    const created = await api.call('POST', '/api/prompts', { ...prompt, content }).catch(() => undefined)
    if (created?.status !== 201) return
    const { id } = created.body as Prompt
    acknowledged.set(id, content)
    const edited = await api
      .call('PUT', `/api/prompts/${id}`, { ...prompt, content: `${content} edited` })
      .catch(() => undefined)
    if (edited?.status !== 200) return
    acknowledged.set(id, `${content} edited`)
  }
}
