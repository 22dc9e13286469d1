import {
  type ActivityKind,
  type Chain,
  type ChainStep,
  type Endpoint,
  listEndpoints,
  type Variable,
} from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { makeStepTool } from '../../testing/step-tools.ts'
import { createToken, digestOf, folderOf } from '../doors/folders/testing/folder-library.ts'
import { openExport } from '../exports/testing/open-export.ts'

const REFUSED = 'Only administrators may save steps that call services on this server'
const OTHER = makeStepTool({ url: 'https://shop.example.org/v1/orders' })

interface Sent {
  method: 'POST' | 'PATCH'
  url: string
  body?: object
  headers?: Record<string, string>
}

/** A chain of two versions: what each step called first, and what it calls now. */
interface Stage {
  person: TestUser
  chain: Chain
  tool: ChainStep
  prompt: ChainStep
  files: Record<string, string>
  path: string
}

/** Each way in which steps come into a chain, with what would bring in or change a call there. */
const DOORS: Record<string, (stage: Stage, library: Library) => Sent | Promise<Sent>> = {
  'POST /api/chains/{id}/steps': ({ chain }) => ({
    method: 'POST',
    url: `/api/chains/${chain.id}/steps`,
    body: { kind: 'tool', content: '', outputVariableName: 'other', position: 5, tool: OTHER },
  }),
  'PATCH /api/chains/{id}/steps/{stepId}': ({ chain, tool }) => ({
    method: 'PATCH',
    url: `/api/chains/${chain.id}/steps/${tool.id}`,
    body: { tool: OTHER },
  }),
  'POST /api/chains/{id}/steps/{stepId}/else': ({ chain, tool }) => ({
    method: 'POST',
    url: `/api/chains/${chain.id}/steps/${tool.id}/else`,
    body: { kind: 'tool', content: '', outputVariableName: 'other', tool: OTHER },
  }),
  'POST /api/chains/{id}/steps/{stepId}/duplicate': ({ chain, tool }) => ({
    method: 'POST',
    url: `/api/chains/${chain.id}/steps/${tool.id}/duplicate`,
  }),
  'POST /api/chains/{id}/duplicate': ({ chain }) => ({
    method: 'POST',
    url: `/api/chains/${chain.id}/duplicate`,
  }),
  'POST /api/chains/{id}/versions/{number}/restore': ({ chain }) => ({
    method: 'POST',
    url: `/api/chains/${chain.id}/versions/2/restore`,
  }),
  'POST /api/import': ({ path, files }) => ({
    method: 'POST',
    url: '/api/import',
    body: {
      files: [{ name: path, text: files[path]?.replace('/v1/refunds', '/v1/orders') }],
      conflicts: { all: 'copy', items: {} },
      dryRun: false,
    },
  }),
  'POST /api/folder/push': async ({ person, path, files }, library) => {
    const before = files[path] ?? ''
    expect(before).toContain('/v1/refunds')
    return {
      method: 'POST',
      url: '/api/folder/push',
      headers: { authorization: `Bearer ${await createToken(library, person)}` },
      body: {
        files: [{ name: path, text: before.replace('/v1/refunds', '/v1/orders'), base: digestOf(before) }],
        dryRun: false,
      },
    }
  },
}

/** They write steps too, and none that calls anything. */
const WITHOUT_CALLS = [
  'DELETE /api/chains/{id}/steps/{stepId}',
  'DELETE /api/examples',
  'POST /api/chains',
  'POST /api/chains/{id}/reorder-steps',
  'POST /api/examples',
]

const WRITES: readonly ActivityKind[] = [
  'chain.created',
  'chain.duplicated',
  'chain.step_added',
  'chain.step_changed',
  'chain.step_deleted',
  'chain.step_duplicated',
  'chain.steps_reordered',
  'chain.version_restored',
  'examples.added',
  'examples.removed',
  'folder.pushed',
  'import.made',
]

function writesSteps({ activity }: Endpoint): boolean {
  if (activity === undefined || !('kind' in activity)) return false
  return [activity.kind].flat().some((kind) => WRITES.includes(kind))
}

test('each call that writes steps is one of the doors', () => {
  const writing = listEndpoints().flatMap(([key, endpoint]) => (writesSteps(endpoint) ? key : []))
  expect(writing.toSorted()).toEqual([...Object.keys(DOORS), ...WITHOUT_CALLS].toSorted())
})

describe.each(routeDatabaseKinds)('who may save steps that call services, on %s', (kind) => {
  let library: Library
  let stage: Stage
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())
  beforeEach(async () => {
    await setSavers('everyone')
    stage = await prepare()
  })

  const setSavers = async (savedBy: string) => {
    const reply = await library.request({
      ...{ method: 'PUT', url: '/api/admin/tool-steps', body: { savedBy } },
      as: library.admin,
    })
    expect([reply.status, reply.body]).toEqual([200, { savedBy }])
  }

  const send = (sent: Sent, as: TestUser = stage.person) =>
    library.request(sent.headers === undefined ? { ...sent, as } : sent)

  async function prepare(): Promise<Stage> {
    const person = await library.registerUser()
    const chain = await library.createChain(person, { name: `Refunds ${person.user.id}` })
    const tool = await library.createStep(person, chain.id, {
      ...{ kind: 'tool', content: '', outputVariableName: 'refund', position: 0 },
      tool: makeStepTool({ url: 'https://shop.example.org/v1/first' }),
      onlyIf: { all: [{ ref: 'input', op: 'is_empty', not: true }] },
    })
    const patched = await library.request({
      ...{ method: 'PATCH', url: `/api/chains/${chain.id}/steps/${tool.id}` },
      body: { tool: makeStepTool() },
      as: person,
    })
    expect(patched.status, patched.text).toBe(200)
    const prompt = await library.createStep(person, chain.id, { position: 1 })
    const { files } = await openExport(library, person)
    const path = Object.keys(files).find((name) => name.startsWith('chains/')) ?? ''
    return { person, chain, tool, prompt, files, path }
  }

  test('Where only administrators may save steps that call services, no door lets others bring one in or change one.', async () => {
    await setSavers('admins')
    const before = await readChain()
    for (const [door, sentBy] of Object.entries(DOORS)) {
      const reply = await send(await sentBy(stage, library))
      expect([door, reply.status, reply.body], reply.text).toMatchObject([door, 403, { error: REFUSED }])
    }
    expect(await readChain()).toEqual(before)
    const mine = await library.request({ url: '/api/chains?ownership=mine', as: stage.person })
    expect(mine.body).toHaveLength(1)
  })

  test.each(Object.keys(DOORS))('%s is open as long as everyone may', async (door) => {
    const sentBy = DOORS[door]
    if (sentBy === undefined) throw new Error(door)
    const reply = await send(await sentBy(stage, library))
    expect([200, 201], reply.text).toContain(reply.status)
  })

  test('Everybody can read whether they may save such steps.', async () => {
    const { person } = stage
    const read = async (as: TestUser) => (await library.request({ url: '/api/tool-steps', as })).body
    expect(await Promise.all([person, library.admin].map(read))).toEqual([
      { maySave: true },
      { maySave: true },
    ])
    await setSavers('admins')
    expect(await Promise.all([person, library.admin].map(read))).toEqual([
      { maySave: false },
      { maySave: true },
    ])
    expect((await library.request({ url: '/api/tool-steps' })).status).toBe(401)
  })

  test('A dry run of an import or a push says too that the calls in it may not be saved.', async () => {
    const { person, path, files } = stage
    // Another text beside the same call.
    const stays = [{ name: path, text: files[path]?.replace(/^name: .*$/m, 'name: Refunds, kindly') }]
    await setSavers('admins')
    const url = '/api/import'
    const conflicts = { all: 'version', items: {} }
    const same = { files: stays, conflicts, dryRun: true }
    expect((await library.request({ method: 'POST', url, body: same, as: person })).status).toBe(200)
    const before = files[path] ?? ''
    const text = before.replace('/v1/refunds', '/v1/orders')
    for (const all of ['copy', 'version']) {
      const body = { files: [{ name: path, text }], conflicts: { all, items: {} }, dryRun: true }
      const dry = await library.request({ method: 'POST', url, body, as: person })
      expect([dry.status, dry.body], dry.text).toMatchObject([403, { error: REFUSED }])
    }
    const skipped = { files: [{ name: path, text }], conflicts: { all: 'skip', items: {} }, dryRun: true }
    expect((await library.request({ method: 'POST', url, body: skipped, as: person })).status).toBe(200)
    const headers = { authorization: `Bearer ${await createToken(library, person)}` }
    const push = { files: [{ name: path, text, base: digestOf(before) }], dryRun: true }
    const pushed = await library.request({ method: 'POST', url: '/api/folder/push', body: push, headers })
    expect([pushed.status, pushed.body], pushed.text).toMatchObject([403, { error: REFUSED }])
  })

  test('Administrators may save such steps all the same.', async () => {
    await setSavers('admins')
    const { id } = await library.createChain(library.admin, { name: 'By an administrator' })
    const added = await send(
      {
        method: 'POST',
        url: `/api/chains/${id}/steps`,
        body: { kind: 'tool', content: '', outputVariableName: 'refund', position: 0, tool: OTHER },
      },
      library.admin,
    )
    expect(added.status, added.text).toBe(201)
  })

  test('A call that is there stays where others change the rest of its step or chain, move or delete it.', async () => {
    await setSavers('admins')
    const { chain, tool, prompt, files, path, person } = stage
    const url = `/api/chains/${chain.id}`
    const changes: [Sent['method'], string, object][] = [
      ['PATCH', `${url}/steps/${tool.id}`, { title: 'Refund it', ifItFails: 'go_on', tool: makeStepTool() }],
      ['PATCH', `${url}/steps/${prompt.id}`, { content: 'Write kindly.' }],
      ['POST', `${url}/reorder-steps`, { stepIds: [prompt.id, tool.id] }],
      ['PATCH', url, { name: 'Refunds, kindly' }],
    ]
    for (const [method, to, body] of changes) {
      const reply = await library.request({ method, url: to, body, as: person })
      expect(reply.status, `${to}: ${reply.text}`).toBe(200)
    }
    const folder = folderOf(library, await createToken(library, person))
    const text = (await folder.pull())[path] ?? ''
    const pushed = text.replace('Write kindly.', 'Write briefly.')
    expect(await folder.push([{ name: path, text: pushed, base: digestOf(text) }])).toMatchObject({
      written: true,
    })
    const stays = await readChain()
    expect(stays.steps.map(({ tool }) => tool)).toEqual([undefined, makeStepTool()])
    expect(files[path]).not.toEqual(pushed)
    const gone = await library.request({ method: 'DELETE', url: `${url}/steps/${tool.id}`, as: person })
    expect(gone.status, gone.text).toBe(204)
  })

  test('a variable that a call names is renamed in it, and the chain can be saved afterwards', async () => {
    const { person, chain, tool, prompt } = stage
    const key: Variable = await library.createVariable(person, { name: 'shop_key' })
    const named = makeStepTool({ headers: [{ name: 'Authorization', value: 'Bearer $<shop_key>' }] })
    const url = `/api/chains/${chain.id}/steps`
    await library.request({ method: 'PATCH', url: `${url}/${tool.id}`, body: { tool: named }, as: person })
    await setSavers('admins')
    const { type, content } = key
    const renamed = await library.request({
      ...{ method: 'PATCH', url: `/api/variables/${key.id}`, as: person },
      body: { name: 'shop_secret', type, content, renameReferences: true },
    })
    expect(renamed.status, renamed.text).toBe(200)
    const saved = await library.request({
      ...{ method: 'PATCH', url: `${url}/${prompt.id}`, as: person },
      body: { content: 'Write again.' },
    })
    expect(saved.status, saved.text).toBe(200)
    expect((await readChain()).steps[0]?.tool).toMatchObject({
      headers: [{ value: 'Bearer $<shop_secret>' }],
    })
  })

  test('Everyone may save such steps at first; each change of that says who made it.', async () => {
    const rows = () =>
      library.db
        .select({ before: activity.before, after: activity.after })
        .from(activity)
        .where(eq(activity.kind, 'instance.tool_savers_set'))
        .orderBy(activity.id)
    const count = (await rows()).length
    await setSavers('admins')
    expect((await rows()).slice(count)).toEqual([
      { before: { savedBy: 'everyone' }, after: { savedBy: 'admins' } },
    ])
    const refused = await library.request({ url: '/api/admin/tool-steps', as: stage.person })
    expect(refused.status).toBe(403)
    const read = await library.request({ url: '/api/admin/tool-steps', as: library.admin })
    expect(read.body).toEqual({ savedBy: 'admins' })
  })

  async function readChain(): Promise<Chain> {
    const { person, chain } = stage
    return (await library.request({ url: `/api/chains/${chain.id}`, as: person })).body as Chain
  }
})
