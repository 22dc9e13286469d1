import type { Skill } from '@catenary/contracts'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Mcp, startMcp } from '../../testing/mcp.ts'

describe.each(routeDatabaseKinds)('skills on %s', (kind) => {
  let server: Mcp
  let other: TestUser
  beforeAll(async () => {
    server = await startMcp(kind)
    other = await server.registerUser()
  })
  afterAll(() => server.close())

  const save = (id: number, body: object, as: TestUser = server.owner) =>
    server.request({ method: 'PUT', url: `/api/prompts/${id}/skill`, as, body })
  const fetchZip = (name: string, token: string | undefined, query = '') =>
    fetch(`${server.address}/api/skills/${name}.zip${query}`, {
      headers: { 'user-agent': 'curl/8.5.0', ...(token && { authorization: `Bearer ${token}` }) },
    })
  const filesOf = async (reply: Response): Promise<Record<string, string>> => {
    const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(await reply.arrayBuffer())))
    const entries = await zip.getEntries()
    const read = entries.map(async (entry) =>
      entry.directory ? [] : [[entry.filename, await entry.getData(new TextWriter())]],
    )
    return Object.fromEntries((await Promise.all(read)).flat())
  }

  test('Who may change a prompt makes it a skill: PUT, GET and DELETE /api/prompts/{id}/skill. GET /api/skills lists those that a person sees.', async () => {
    const prompt = await server.createPrompt(server.owner, { isPublic: true })
    const url = `/api/prompts/${prompt.id}/skill`
    expect((await server.request({ url, as: server.owner })).status).toBe(404)
    expect((await save(prompt.id, { description: 'Mine' }, other)).status).toBe(403)
    const saved = await save(prompt.id, { description: ' Does it. ', parts: [] })
    expect(saved.body).toEqual({ description: 'Does it.', parts: [], updatedAt: expect.any(String) })
    expect((await server.request({ url, as: other })).body).toMatchObject({ description: 'Does it.' })
    const listed = await server.request({ url: '/api/skills', as: other })
    expect(listed.body).toContainEqual({
      ...{ promptId: prompt.id, slug: prompt.slug, title: prompt.title },
      ...{ description: 'Does it.', owner: 'Olga', parts: 0 },
    })
    expect((await server.request({ url: `${url.replace('skill', 'fetches')}`, as: other })).status).toBe(403)
    expect((await server.request({ method: 'DELETE', url, as: other })).status).toBe(403)
    expect((await server.request({ method: 'DELETE', url, as: server.owner })).status).toBe(204)
    expect((await server.request({ url, as: server.owner })).status).toBe(404)
  })

  test('Beside SKILL.md lie texts of other prompts and of variables, under paths within the folder.', async () => {
    const prompt = await server.createPrompt(server.owner)
    const secret = await server.createPrompt(other)
    const part = (fields: object) => save(prompt.id, { description: 'A', parts: [fields] })
    for (const path of ['../a', '/a', 'a//b', 'a/../b', 'skill.md', 'a\\b', '.git/config', '', 'ä']) {
      expect((await part({ path, variable: 'x' })).status, path).toBe(400)
    }
    expect((await part({ path: 'a.md' })).status).toBe(400)
    expect((await part({ path: 'a.md', variable: 'x', promptId: prompt.id })).status).toBe(400)
    expect((await part({ path: 'a.md', promptId: secret.id })).status).toBe(404)
    const twice = [
      { path: 'a.md', variable: 'x' },
      { path: 'A.md', variable: 'y' },
    ]
    expect((await save(prompt.id, { description: 'A', parts: twice })).status).toBe(400)
    expect((await part({ path: 'scripts/run.sh', variable: 'x' })).status).toBe(200)
  })

  test('GET /api/skills/{slug}.zip gives the folder to a read token or one for agents, by label, always the same to the byte.', async () => {
    const style = await server.createPrompt(server.owner, { content: 'Short.' })
    const hidden = await server.createPrompt(server.owner, { content: 'Hidden.' })
    const prompt = await server.createPrompt(server.owner, { content: 'Greet $<whom>.' })
    await server.request({
      method: 'POST',
      url: '/api/variables',
      as: server.owner,
      body: { type: 'text', name: 'greeting_list', content: 'Hello\nHi' },
    })
    await server.markSkill(prompt, {
      description: 'Greets.',
      parts: [
        { path: 'references/style.md', promptId: style.id },
        { path: 'greetings.txt', variable: 'greeting_list' },
        { path: 'absent.txt', variable: 'no_such_variable' },
        { path: 'hidden.md', promptId: hidden.id },
      ],
    })
    await server.saveText(prompt.id, 'Greet twice.', { title: prompt.title })
    await server.moveLabel(prompt.id, 'staging', 1)
    const { token } = await server.createReadToken([prompt.id])
    const reply = await fetchZip(prompt.slug, token)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(reply.headers.get('x-prompt-version')).toBe('2')
    expect(await filesOf(reply)).toEqual({
      [`${prompt.slug}/SKILL.md`]: `---\nname: ${prompt.slug}\ndescription: "Greets."\n---\n\nGreet twice.\n`,
      [`${prompt.slug}/greetings.txt`]: 'Hello\nHi',
      [`${prompt.slug}/references/style.md`]: 'Short.',
      [`${prompt.slug}/hidden.md`]: 'Hidden.',
    })
    const staged = await filesOf(await fetchZip(prompt.slug, token, '?label=staging'))
    expect(staged[`${prompt.slug}/SKILL.md`]).toContain('Greet {{whom}}.')
    const again = await fetchZip(prompt.slug, token)
    expect(Buffer.from(await again.arrayBuffer())).toEqual(
      Buffer.from(await (await fetchZip(prompt.slug, token)).arrayBuffer()),
    )
    const agents = await server.createMcpToken({ promptIds: [prompt.id], labels: ['staging'] })
    expect((await fetchZip(prompt.slug, agents.token)).headers.get('x-prompt-label')).toBe('staging')
    const fetches = await server.request({ url: `/api/prompts/${prompt.id}/fetches`, as: server.owner })
    expect(fetches.body).toContainEqual(
      expect.objectContaining({ kind: 'skill', version: 2, label: 'latest', client: 'curl 8.5.0', count: 3 }),
    )
  })

  test('what a token does not reach, or is no skill, is absent; others need one of the right kind', async () => {
    const prompt = await server.createPrompt(server.owner)
    const chain = await server.buildChain(['{{input}}'])
    await server.markSkill(prompt)
    const plain = await server.createPrompt(server.owner)
    const { token } = await server.createReadToken([plain.id])
    expect((await fetchZip(prompt.slug, token)).status).toBe(404)
    expect((await fetchZip(plain.slug, token)).status).toBe(404)
    expect((await fetchZip(prompt.slug, undefined)).status).toBe(401)
    expect((await fetchZip(prompt.slug, (await server.createToken(chain.id)).token)).status).toBe(403)
    const theirs = await server.request({
      url: `/api/skills/${prompt.slug}.zip`,
      as: server.owner,
    })
    expect(theirs.status).toBe(401)
  })

  test('What the reader of a skill does not see is left out; GET /api/prompts/{id}/fetches names no tokens of others.', async () => {
    const inner = await server.createPrompt(server.owner, { content: 'Inner.' })
    const prompt = await server.createPrompt(server.owner, { isPublic: true })
    await server.markSkill(prompt, { parts: [{ path: 'inner.md', promptId: inner.id }] })
    const { token } = await server.createMcpToken({ promptIds: [prompt.id], name: 'Secret project' }, other)
    expect(Object.keys(await filesOf(await fetchZip(prompt.slug, token)))).toEqual([
      `${prompt.slug}/SKILL.md`,
    ])
    const seen = (await server.request({ url: `/api/prompts/${prompt.id}/skill`, as: other })).body as Skill
    expect(seen.parts).toMatchObject([{ path: 'inner.md', title: null }])
    const fetches = await server.request({ url: `/api/prompts/${prompt.id}/fetches`, as: server.owner })
    const theirs = { kind: 'skill', tokenName: null, tokenId: null, person: other.user.username, client: '' }
    expect(fetches.body).toMatchObject([theirs])
    expect((await server.request({ url: '/api/fetches', as: server.owner })).body).not.toContainEqual(
      expect.objectContaining({ promptId: prompt.id }),
    )
  })
})
