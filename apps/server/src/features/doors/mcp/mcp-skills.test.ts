import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Mcp, startMcp } from '../../../testing/mcp.ts'

describe.each(routeDatabaseKinds)('skills by MCP, on %s', (kind) => {
  let server: Mcp
  beforeAll(async () => {
    server = await startMcp(kind)
  })
  afterAll(() => server.close())

  /** A skill with a token that reaches it, and the official client of skills. */
  async function serve(description: string, tokenFields: object = {}) {
    const beside = await server.createPrompt(server.owner, { content: 'Words “of” ours: ä, 漢, 🙂.' })
    const prompt = await server.createPrompt(server.owner, { content: 'First.\n\n---\n\nname: other' })
    await server.markSkill(prompt, { description, parts: [{ path: 'refs/words.md', promptId: beside.id }] })
    const { token } = await server.createMcpToken({ promptIds: [prompt.id], ...tokenFields })
    const skills = new SkillsClient(await server.connect(token))
    return { prompt, skills }
  }

  test.each([
    'Plain words.',
    'With "quotes", a \\ and: a colon # and a mark',
    'Two\nlines\tand a tab',
    '- [list] {map} & *alias !tag | > % @ `',
    'é 漢 🙂 \u2028 \u0085',
    '---',
    'null',
  ])(
    'skills/list, skills/get and the files carry SHA-256 digests that the official client verifies. (%j)',
    async (description) => {
      const { prompt, skills } = await serve(description)
      const { skills: listed } = await skills.list()
      expect(listed).toMatchObject([
        {
          uri: `skill://${prompt.slug}/SKILL.md`,
          frontmatter: { name: prompt.slug, description: description.trim() },
          resources: [{ digest: expect.any(String) }, { uri: `skill://${prompt.slug}/refs/words.md` }],
        },
      ])
      const [skill] = listed
      if (skill === undefined) throw new Error('It lists none')
      const manifest = await skills.read(skill)
      expect([manifest.verified, manifest.body?.trim()]).toEqual([true, 'First.\n\n---\n\nname: other'])
      const beside = await skills.read(skill, `skill://${prompt.slug}/refs/words.md`)
      expect([beside.verified, beside.text]).toEqual([true, 'Words “of” ours: ä, 漢, 🙂.'])
    },
  )

  test('Moving a label changes what every agent gets at its next look; taking the mark away ends it.', async () => {
    const { prompt, skills } = await serve('Moves.', { labels: ['production'] })
    expect((await skills.list()).skills).toEqual([])
    await server.saveText(prompt.id, 'Second.', { title: prompt.title })
    await server.moveLabel(prompt.id, 'production', 1)
    const read = async () => {
      const [skill] = (await skills.list()).skills
      return skill && (await skills.read(skill)).body?.trim()
    }
    expect(await read()).toContain('First.')
    await server.moveLabel(prompt.id, 'production', 2, 1)
    expect(await read()).toBe('Second.')
    const url = `/api/prompts/${prompt.id}/skill`
    await server.request({ method: 'DELETE', url, as: server.owner })
    expect((await skills.list()).skills).toEqual([])
  })
})
