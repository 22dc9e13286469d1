import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { fillToBounds } from '../../testing/full-library.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const LIST_BYTES_MAX = 2_000_000

/** What a person asks for by its id may be as large as it was written. */
const BY_ID = [
  '/api/admin/models/{id}/usage',
  '/api/executions/{id}/files/{fileId}',
  '/api/folder/evaluations/{id}',
  '/api/files/{id}',
  '/api/variables/{id}/file',
  '/api/prompts/{id}',
  '/api/prompts/by-slug/{slug}',
  '/api/public/v2/prompts/{name}',
  '/api/prompts/{id}/versions/{number}',
  '/api/prompts/{id}/executions/{executionId}',
  '/api/variables/{id}',
  '/api/variables/{idOrName}/content',
  '/api/variables/{id}/preview',
  '/api/proxy',
  '/api/chains/{id}/steps/{stepId}',
  '/api/chains/{id}/versions/{number}',
  '/api/executions/{id}/steps/{position}',
  '/api/executions/{id}/events',
  '/api/scheduled-runs/{id}',
  '/api/best-selections/{id}',
  '/api/test-suites/{id}',
  '/api/test-suites/{id}/cases/{caseId}',
  '/api/test-suites/{id}/export',
  '/api/evaluations/{id}',
  '/api/imports/{id}',
  '/api/prompts/{id}/skill',
  '/api/mcp-tokens/{id}/sees',
  '/api/skills/{file}',
  '/api/evaluations/{id}/cells/{case}/{target}',
  '/api/admin/backups/{id}/file',
]
/** Routes whose replies don't grow with what people write: settings, states, lists of another service. */
const FIXED = [
  '/api/models',
  '/api/admin/model-access',
  '/api/admin/providers',
  '/api/instance',
  '/api/user',
  '/api/account',
  '/api/examples',
  '/api/export',
  '/api/folder',
  '/api/first-steps',
  '/api/imports',
  '/api/mail',
  '/api/admin/debug-mode',
  '/api/admin/notices',
  '/api/admin/activity',
  '/api/admin/backups',
  '/api/admin/models',
  '/api/admin/checks',
  '/api/admin/checks/{name}',
  '/api/admin/schedules',
  '/api/admin/retention',
  '/api/admin/protected-labels',
  '/api/admin/users/{id}/quotas',
  '/api/auth/google',
  '/api/auth/google/status',
  '/api/auth/google/callback',
  '/api/google-drive/files',
  '/api/google-drive/picker',
  '/api/prompts/{id}/labels',
  '/api/prompts/{id}/labels/{label}/dependants',
  '/api/chains/{id}/labels',
  '/api/chains/{id}/labels/{label}/dependants',
  '/api/prompts/{id}/dependants',
  '/api/chains/{id}/dependants',
  '/api/mail/confirm/{token}',
  '/api/mail/unsubscribe/{token}',
  '/api/tokens/{id}/value',
  '/api/prompts/{id}/aliases',
  '/api/executions/{id}/ratings',
  '/api/chains/{id}/run-share',
  '/api/prompts/{id}/run-share',
  '/api/prompts/{id}/labels/{label}/gate',
  '/api/chains/{id}/labels/{label}/gate',
  '/api/usage',
  '/api/usage/budget',
  '/api/usage/runs',
  '/api/usage/versions',
  '/api/evaluations/versions',
  '/api/webhooks',
]

interface ListRow {
  url: string
  as?: 'owner' | 'admin'
  headers?: Record<string, string>
  /** What is listed; the reply itself unless it is said. */
  rows?: (body: never) => unknown[]
}

const all = (body: never) => body

describe.each(routeDatabaseKinds)('filled to all bounds, on %s', (kind) => {
  let library: Library
  let { ids, readToken }: Awaited<ReturnType<typeof fillToBounds>> = { ids: {}, readToken: '' }
  beforeAll(async () => {
    library = await startLibrary(kind)
    ;({ ids, readToken } = await fillToBounds(library))
  }, 300_000)
  afterAll(() => library.close())

  const lists = (): Record<string, ListRow> => ({
    '/api/prompts': { url: '/api/prompts' },
    '/api/prompts/{id}/versions': { url: `/api/prompts/${ids.prompt}/versions` },
    '/api/prompts/{id}/label-moves': { url: `/api/prompts/${ids.prompt}/label-moves` },
    '/api/prompts/{id}/executions': { url: `/api/prompts/${ids.prompt}/executions` },
    '/api/executions': { url: `/api/executions?promptId=${ids.prompt}` },
    '/api/executions/{id}': { url: `/api/executions/${ids.run}`, rows: ({ steps }: { steps: [] }) => steps },
    '/api/executions/{id}/status': {
      url: `/api/executions/${ids.run}/status`,
      rows: ({ steps }: { steps: [] }) => steps,
    },
    '/api/categories': { url: '/api/categories' },
    '/api/tags': { url: '/api/tags' },
    '/api/tags/search': { url: `/api/tags/search?name=${ids.prompt}`, rows: (found) => [found] },
    '/api/variables/tags': { url: '/api/variables/tags' },
    '/api/variables/tags/search': { url: '/api/variables/tags/search?name=x', rows: (found) => [found] },
    '/api/chain-tags': { url: '/api/chain-tags' },
    '/api/chains/tags': { url: '/api/chains/tags' },
    '/api/chain-tags/search': { url: '/api/chain-tags/search?name=x', rows: (found) => [found] },
    '/api/variables': { url: '/api/variables' },
    '/api/variables/by-tags': { url: '/api/variables/by-tags' },
    '/api/variables/usage': { url: '/api/variables/usage' },
    '/api/variables/{id}/usage': {
      url: `/api/variables/${ids.variable}/usage`,
      rows: ({ prompts, chains }: { prompts: []; chains: [] }) => (chains.length > 0 ? prompts : []),
    },
    '/api/chains': { url: '/api/chains' },
    '/api/chains/by-tags': { url: '/api/chains/by-tags' },
    '/api/chains/{id}': { url: `/api/chains/${ids.chain}`, rows: ({ steps }: { steps: [] }) => steps },
    '/api/chains/by-slug/{slug}': {
      url: '/api/chains/by-slug/flow',
      rows: ({ steps }: { steps: [] }) => steps,
    },
    '/api/chains/{id}/versions': { url: `/api/chains/${ids.chain}/versions` },
    '/api/chains/{id}/label-moves': { url: `/api/chains/${ids.chain}/label-moves` },
    '/api/chains/{id}/shares': { url: `/api/chains/${ids.chain}/shares` },
    '/api/prompts/{id}/shares': { url: `/api/prompts/${ids.prompt}/shares` },
    '/api/chains/{id}/executions': { url: `/api/chains/${ids.chain}/executions` },
    '/api/chains/{id}/scheduled-runs': { url: `/api/chains/${ids.chain}/scheduled-runs` },
    '/api/latest-chain-runs': { url: '/api/latest-chain-runs' },
    '/api/scheduled-chains': { url: '/api/scheduled-chains' },
    '/api/prompts/{id}/test-suites': { url: `/api/prompts/${ids.prompt}/test-suites` },
    '/api/chains/{id}/test-suites': { url: `/api/chains/${ids.chain}/test-suites` },
    '/api/test-suites/{id}/cases': { url: `/api/test-suites/${ids.suite}/cases` },
    '/api/evaluations': { url: `/api/evaluations?promptId=${ids.prompt}&limit=100` },
    '/api/tokens': { url: `/api/tokens?chainId=${ids.chain}` },
    '/api/tokens/{id}/executions': { url: `/api/tokens/${ids.token}/executions` },
    '/api/best-tokens': { url: '/api/best-tokens' },
    '/api/read-tokens': { url: '/api/read-tokens' },
    '/api/mcp-tokens': { url: '/api/mcp-tokens' },
    '/api/own-tokens': { url: '/api/own-tokens' },
    '/api/fetches': { url: '/api/fetches' },
    '/api/prompts/{id}/fetches': { url: `/api/prompts/${ids.prompt}/fetches` },
    '/api/skills': { url: '/api/skills' },
    '/api/prompt-offers': { url: '/api/prompt-offers', as: 'admin' },
    '/api/folder-tokens': { url: '/api/folder-tokens' },
    '/api/public/v2/prompts': {
      url: '/api/public/v2/prompts?limit=100',
      headers: { authorization: `Bearer ${readToken}` },
      rows: ({ data }: { data: [] }) => data,
    },
    '/api/chain-offers': { url: '/api/chain-offers', as: 'admin' },
    '/api/best-selections': { url: '/api/best-selections?limit=100' },
    '/api/webhooks/{id}/deliveries': { url: `/api/webhooks/${ids.webhook}/deliveries` },
    '/api/users/search': { url: '/api/users/search?name=filler' },
    '/api/account/sessions': { url: '/api/account/sessions' },
    '/api/admin/labels/{kind}': { url: '/api/admin/labels/category', as: 'admin' },
    '/api/admin/users': { url: '/api/admin/users', as: 'admin' },
  })

  test('each route that reads is listed here, as a list or as none', () => {
    const { paths = {} } = library.http.swagger()
    const reading = Object.entries(paths).flatMap(([path, { get } = {}]) => (get === undefined ? [] : [path]))
    expect([...Object.keys(lists()), ...BY_ID, ...FIXED].sort()).toEqual(reading.sort())
  })

  test('no list is over 2 MB, whatever is in it, and each has something', async () => {
    const tooLarge: string[] = []
    for (const [path, { url, as = 'owner', headers = {}, rows = all }] of Object.entries(lists())) {
      const reply = await library.request({ url, as: library[as], headers })
      expect(reply.status, `${path}: ${reply.text.slice(0, 300)}`).toBe(200)
      const bytes = Buffer.byteLength(reply.text)
      expect(rows(reply.body as never).length, path).toBeGreaterThan(0)
      if (bytes > LIST_BYTES_MAX) tooLarge.push(`${path}: ${bytes}`)
    }
    expect(tooLarge).toEqual([])
  })

  test('what such a list leaves out is there by the id of its row', async () => {
    const read = async (url: string) => (await library.request({ url, as: library.owner })).body
    const [schedule] = (await read(`/api/chains/${ids.chain}/scheduled-runs`)) as {
      id: number
      input: string
    }[]
    expect(schedule).toMatchObject({ inputClipped: true, inputLength: 200_000 })
    expect(await read(`/api/scheduled-runs/${schedule?.id}`)).toMatchObject({
      input: '\u0001'.repeat(200_000),
    })
    const refused = await library.request({
      ...{ method: 'PATCH', url: `/api/scheduled-runs/${schedule?.id}`, as: library.owner },
      body: { input: schedule?.input, name: 'x' },
    })
    expect(refused.status).toBe(409)
    const [selection] = (await read('/api/best-selections')) as { id: number; scores: [] }[]
    expect(selection).toMatchObject({ scoresCount: 1000 })
    expect(selection?.scores).toHaveLength(10)
    const whole = (await read(`/api/best-selections/${selection?.id}`)) as { scores: [] }
    expect(whole.scores).toHaveLength(1000)
    const others = await library.request({ url: `/api/best-selections/${selection?.id}`, as: library.admin })
    expect(others.status).toBe(404)
  })

  test('the models of a token that reaches every chain are a list, too', async () => {
    const created = await library.request({
      ...{ method: 'POST', url: '/api/best-tokens', as: library.owner, body: { name: 'All' } },
    })
    const authorization = `Bearer ${(created.body as { token: string }).token}`
    const { status, text, body } = await library.request({ url: '/v1/models', headers: { authorization } })
    expect([status, (body as { data: [] }).data.length]).toEqual([200, 3300])
    expect(Buffer.byteLength(text)).toBeLessThan(LIST_BYTES_MAX)
  })
})
