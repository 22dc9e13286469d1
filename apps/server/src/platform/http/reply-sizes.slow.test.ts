import type { Api, ListKey, ReadKey } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { callOf, LISTS } from '../../testing/every-list.ts'
import { BEYOND_A_PAGE, fillLibrary } from '../../testing/full-library.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const LIST_BYTES_MAX = 2_000_000

interface Listing {
  url: string
  headers?: Record<string, string>
  /** What of it is a list. */
  rows: (body: never) => unknown[]
}
/**
 * Of replies that are no list of a table's: a list in them is no larger than others. What is asked for by its id is
 * whole, as large as it was written; what people write does not add to what is fixed: settings, states, lists of
 * another service.
 */
type Size = Listing | 'whole' | 'fixed'
type Shown = { [Key in ReadKey]: Api[Key] extends { hidden: true } ? never : Key }[ReadKey]

const itself = (body: never[]) => body
const stepsOf = ({ steps }: { steps: [] }) => steps
const asOne = (found: object) => [found]

const sizesOf = ({ ids, readToken }: Filled): Record<Exclude<Shown, ListKey>, Size> => ({
  'GET /api/executions/{id}': { url: `/api/executions/${ids.executions}`, rows: stepsOf },
  'GET /api/executions/{id}/status': { url: `/api/executions/${ids.executions}/status`, rows: stepsOf },
  'GET /api/tags/search': { url: `/api/tags/search?name=${ids.prompts}`, rows: asOne },
  'GET /api/variables/tags/search': { url: '/api/variables/tags/search?name=x', rows: asOne },
  'GET /api/chain-tags/search': { url: '/api/chain-tags/search?name=x', rows: asOne },
  'GET /api/variables/{id}/usage': {
    url: `/api/variables/${ids.variables}/usage`,
    rows: ({ prompts, chains }: { prompts: []; chains: [] }) => (chains.length > 0 ? prompts : []),
  },
  'GET /api/chains/{id}': { url: `/api/chains/${ids.chains}`, rows: stepsOf },
  'GET /api/chains/by-slug/{slug}': { url: '/api/chains/by-slug/flow', rows: stepsOf },
  'GET /api/chains/{id}/shares': { url: `/api/chains/${ids.chains}/shares`, rows: itself },
  'GET /api/prompts/{id}/shares': { url: `/api/prompts/${ids.prompts}/shares`, rows: itself },
  'GET /api/latest-chain-runs': { url: '/api/latest-chain-runs', rows: itself },
  'GET /api/scheduled-chains': { url: '/api/scheduled-chains', rows: itself },
  'GET /api/prompts/{id}/test-suites': { url: `/api/prompts/${ids.prompts}/test-suites`, rows: itself },
  'GET /api/chains/{id}/test-suites': { url: `/api/chains/${ids.chains}/test-suites`, rows: itself },
  'GET /api/public/v2/prompts': {
    url: '/api/public/v2/prompts?limit=100',
    headers: { authorization: `Bearer ${readToken}` },
    rows: ({ data }: { data: [] }) => data,
  },
  'GET /api/groups/{id}': { url: `/api/groups/${ids.groups}`, rows: ({ shares }: { shares: [] }) => shares },
  'GET /api/users/search': { url: '/api/users/search?name=filler', rows: itself },
  'GET /api/admin/models/{id}/usage': 'whole',
  'GET /api/executions/{id}/files/{fileId}': 'whole',
  'GET /api/folder/evaluations/{id}': 'whole',
  'GET /api/files/{id}': 'whole',
  'GET /api/variables/{id}/file': 'whole',
  'GET /api/prompts/{id}': 'whole',
  'GET /api/prompts/by-slug/{slug}': 'whole',
  'GET /api/public/v2/prompts/{name}': 'whole',
  'GET /api/prompts/{id}/versions/{number}': 'whole',
  'GET /api/prompts/{id}/executions/{executionId}': 'whole',
  'GET /api/variables/{id}': 'whole',
  'GET /api/variables/{idOrName}/content': 'whole',
  'GET /api/variables/{id}/preview': 'whole',
  'GET /api/proxy': 'whole',
  'GET /api/chains/{id}/steps/{stepId}': 'whole',
  'GET /api/chains/{id}/steps/{stepId}/sealed': 'whole',
  'GET /api/chains/{id}/versions/{number}': 'whole',
  'GET /api/executions/{id}/steps/{position}': 'whole',
  'GET /api/executions/{id}/steps/{position}/items/{index}': 'whole',
  'GET /api/executions/{id}/events': 'whole',
  'GET /api/scheduled-runs/{id}': 'whole',
  'GET /api/best-selections/{id}': 'whole',
  'GET /api/test-suites/{id}': 'whole',
  'GET /api/test-suites/{id}/cases/{caseId}': 'whole',
  'GET /api/test-suites/{id}/export': 'whole',
  'GET /api/evaluations/{id}': 'whole',
  'GET /api/imports/{id}': 'whole',
  'GET /api/own-tokens/{id}': 'whole',
  'GET /api/prompts/{id}/skill': 'whole',
  'GET /api/mcp-tokens/{id}/sees': 'whole',
  'GET /api/skills/{file}': 'whole',
  'GET /api/evaluations/{id}/cells/{case}/{target}': 'whole',
  'GET /api/admin/backups/{id}/file': 'whole',
  'GET /api/models': 'fixed',
  'GET /api/admin/model-access': 'fixed',
  'GET /api/admin/providers': 'fixed',
  'GET /api/instance': 'fixed',
  'GET /api/user': 'fixed',
  'GET /api/account': 'fixed',
  'GET /api/asks/count': 'fixed',
  'GET /api/asks/{id}': 'whole',
  'GET /api/chains/{id}/sends': 'fixed',
  'GET /api/users/administrators': 'fixed',
  'GET /api/examples': 'fixed',
  'GET /api/export': 'fixed',
  'GET /api/folder': 'fixed',
  'GET /api/first-steps': 'fixed',
  'GET /api/imports': 'fixed',
  'GET /api/mail': 'fixed',
  'GET /api/admin/debug-mode': 'fixed',
  'GET /api/admin/notices': 'fixed',
  'GET /api/activity/state': 'fixed',
  'GET /api/admin/processes': 'fixed',
  'GET /api/admin/backups': 'fixed',
  'GET /api/admin/models': 'fixed',
  'GET /api/admin/checks': 'fixed',
  'GET /api/admin/checks/{name}': 'fixed',
  'GET /api/admin/schedules': 'fixed',
  'GET /api/admin/retention': 'fixed',
  'GET /api/admin/tool-steps': 'fixed',
  'GET /api/tool-steps': 'fixed',
  'GET /api/admin/protected-labels': 'fixed',
  'GET /api/admin/users/{id}/quotas': 'fixed',
  'GET /api/admin/groups/{id}/quotas': 'fixed',
  'GET /api/groups/making': 'fixed',
  'GET /api/auth/google': 'fixed',
  'GET /api/auth/google/status': 'fixed',
  'GET /api/auth/google/callback': 'fixed',
  'GET /api/google-drive/files': 'fixed',
  'GET /api/google-drive/picker': 'fixed',
  'GET /api/prompts/{id}/labels': 'fixed',
  'GET /api/prompts/{id}/labels/{label}/dependants': 'fixed',
  'GET /api/chains/{id}/labels': 'fixed',
  'GET /api/chains/{id}/labels/{label}/dependants': 'fixed',
  'GET /api/prompts/{id}/dependants': 'fixed',
  'GET /api/chains/{id}/dependants': 'fixed',
  'GET /api/mail/confirm/{token}': 'fixed',
  'GET /api/mail/unsubscribe/{token}': 'fixed',
  'GET /api/tokens/{id}/value': 'fixed',
  'GET /api/prompts/{id}/aliases': 'fixed',
  'GET /api/prompts/{id}/owner': 'fixed',
  'GET /api/chains/{id}/owner': 'fixed',
  'GET /api/variables/{id}/owner': 'fixed',
  'GET /api/executions/{id}/ratings': 'fixed',
  'GET /api/chains/{id}/run-share': 'fixed',
  'GET /api/prompts/{id}/run-share': 'fixed',
  'GET /api/prompts/{id}/labels/{label}/gate': 'fixed',
  'GET /api/chains/{id}/labels/{label}/gate': 'fixed',
  'GET /api/usage': 'fixed',
  'GET /api/usage/budget': 'fixed',
  'GET /api/usage/runs': 'fixed',
  'GET /api/usage/versions': 'fixed',
  'GET /api/evaluations/versions': 'fixed',
  'GET /api/webhooks': 'fixed',
})

type Filled = Awaited<ReturnType<typeof fillLibrary>>

/** All lists, each of 2 MB. */
const LISTS_MS = 120_000

describe.each(routeDatabaseKinds)('filled to all bounds, on %s', (kind) => {
  let library: Library
  let filled: Filled
  beforeAll(async () => {
    library = await startLibrary(kind)
    filled = await fillLibrary(library, { rows: BEYOND_A_PAGE })
  }, 300_000)
  afterAll(() => library.close())

  test('each route that reads is listed here, as a list or as none', () => {
    const { paths = {} } = library.http.swagger()
    const reading = Object.entries(paths).flatMap(([path, { get } = {}]) =>
      get === undefined ? [] : [`GET ${path}`],
    )
    expect([...LISTS, ...Object.keys(sizesOf(filled))].toSorted()).toEqual(reading.toSorted())
  })

  test(
    'no list is over 2 MB, whatever is in it, and each has something',
    async () => {
      const lists = LISTS.map((key) => ({ key, rows: itself, headers: {}, ...callOf(key, filled.ids) }))
      const others = Object.entries<Size>(sizesOf(filled)).flatMap(([key, size]) =>
        typeof size === 'string' ? [] : [{ key, headers: {}, as: 'owner' as const, ...size }],
      )
      const tooLarge: string[] = []
      for (const { key, url, as, headers, rows } of [...lists, ...others]) {
        const reply = await library.request({ url, as: library[as], headers })
        expect(reply.status, `${key}: ${reply.text.slice(0, 300)}`).toBe(200)
        const bytes = Buffer.byteLength(reply.text)
        expect(rows(reply.body as never).length, key).toBeGreaterThan(0)
        if (bytes > LIST_BYTES_MAX) tooLarge.push(`${key}: ${bytes}`)
      }
      expect(tooLarge).toEqual([])
    },
    LISTS_MS,
  )

  test('what such a list leaves out is there by the id of its row', async () => {
    const read = async (url: string) => (await library.request({ url, as: library.owner })).body
    const [schedule] = (await read(`/api/chains/${filled.ids.chains}/scheduled-runs`)) as {
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
