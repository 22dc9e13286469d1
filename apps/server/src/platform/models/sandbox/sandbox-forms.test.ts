import { checkAnswer } from '@catenary/domain/answer-check'
import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../model-types.ts'
import { createModels } from '../models.ts'

const NOTES = `Ana: The beta went well, 14 agencies use it daily.
We decided to ship version 2 on 4 May.
Ana will write the launch mail by Friday.
Carla asked whether the price stays at €29; that is still open.`
const MESSAGES = `- The export is so slow that I gave up
- Love the new editor, thank you
- Could you add a dark mode?
- The app crashes when I upload a PDF`
const COMMITS = `Commits:
a1b2c3d feat(editor): search in the text
fix: keep the cursor where it was
chore: update dependencies`
const CODE = `\`\`\`js
for (var i = 0; i <= items.length; i++) {
  total += items[i].price
}
\`\`\``
const CONTRACT = `1. Term. This agreement shall commence on 1 May 2026.
2. Fee. The customer shall pay €99 per month in advance.
3. End. Either party may terminate with 30 days notice.`
const SCHEMA = `Tables:
customers(id, name, created_at)
orders(id, customer_id, total, created_at)`

const OPENING = /^\[sandbox\] No model was called\. This is an offline stand-in for \*\*claude\*\*, .*\n\n/
const none = { baseUrl: 'http://127.0.0.1:9', modelId: 'none' }
const models = createModels({
  settings: { claude: none, sandbox: 'on' },
  log: { warn: () => undefined },
  sandboxChunkDelayMs: 0,
})

const answer = async (prompt: string, rest: Partial<ModelCall> = {}) => {
  const { text } = await models.generate({ alias: 'claude', prompt, ...rest } as ModelCall)
  return text
}
const formed = async (prompt: string, rest?: Partial<ModelCall>) => {
  const text = await answer(prompt, rest)
  expect(text).toMatch(OPENING)
  return text.replace(OPENING, '')
}

describe('the sandbox answers in the form that is asked for', () => {
  it.each([
    [
      'a list',
      `List what customers say.\n\nMessages:\n${MESSAGES}`,
      /^- The export is so slow.*\n- Love the new editor.*\n- Could/,
    ],
    ['as many as are asked for', `The two topics as bullets:\n\n${MESSAGES}`, /^- .*\n- .*$/],
    [
      'a numbered list',
      `Rank the messages in a numbered list.\n\n${MESSAGES}`,
      /^1\. The export.*\n2\. Love the.*\n3\. /,
    ],
    [
      'a table with the named columns',
      `Make a table with the columns Decision, Owner and Due date.\n\nNotes:\n${NOTES}`,
      /^\| Decision \| Owner \| Due date \|\n\| --- \| --- \| --- \|\n(?:.*\n)*\| Ana will write the launch mail by Friday\. \| Ana \| Friday \|$/,
    ],
    [
      'a count by topic',
      `Count the messages in a table: topic, count, example.\n\n<messages>\n${MESSAGES}\n</messages>`,
      /\n\| Problems \| 2 \| The export is so slow that I gave up \|\n/,
    ],
    [
      'a mail with subject, greeting and end',
      'Write a launch email for Nimbus to small agencies. Voice: warm\n\nNews:\n- Offline mode\n- Shared folders',
      /^Subject: Nimbus: Offline mode\n\nHi small agencies,\n\n.*Nimbus.*\n\n- Offline mode\n- Shared folders\n\n.*\n\nWarmly,\nThe Nimbus team$/,
    ],
    [
      'a mail to the audience that a field names',
      'Draft a formal mail.\n\nProduct: Nimbus\nAudience: existing customers\nRelease notes: Offline mode. Shared folders.',
      /^Subject: Nimbus: Offline mode\n\nDear existing customers,\n/,
    ],
    [
      'headings',
      `Write the sections Decisions, Actions and Open questions.\n\n"""\n${NOTES}\n"""`,
      /^## Decisions\n\n- We decided.*\n\n## Actions\n\n- Ana will.*\n\n## Open questions\n\n- (?:\*\*Carla\*\*: )?Carla asked/,
    ],
    [
      'release notes',
      `Write release notes from these commits.\n\n${COMMITS}`,
      /^## New\n\n- \*\*Editor\*\*: Search in the text\n\n## Fixed\n\n- Keep the cursor.*\n\n## Also\n\n- Update dependencies$/,
    ],
    [
      'findings in code',
      `Review this code as a numbered list.\n\n${CODE}`,
      /^1\. \*\*Line 1\*\*: the last iteration reads past the end/,
    ],
    [
      'every finding in code, whatever the ask ends with',
      `Review this code as a numbered list. End with one thing that is well done.\n\n${CODE}`,
      /^1\. \*\*Line 1\*\*: .*\n2\. \*\*Line 1\*\*: /,
    ],
    [
      'a mail whose subject is what the first point is headed with',
      'Write an e-mail for Nimbus.\n\nNews:\n- Snooze: a conversation comes back at a time that you choose\n- Search',
      /^Subject: Nimbus: Snooze\n/,
    ],
    [
      'the tone of sentences',
      'Table with the columns sentence, tone and suggestion.\n\nMail:\nYou failed to answer. Thanks for the call.',
      /\| You failed to answer\. \| blunt \| You did not get to answer\. \|\n\| Thanks for the call\. \| warm \| – \|$/,
    ],
    [
      'a summary in plain words',
      `Summarise the contract in plain language.\n\nContract:\n${CONTRACT}`,
      /^\*\*In short:\*\* 3 points, 1 May 2026, €99; .*\n\n- \*\*Term\*\*: This agreement must start on 1 May 2026\.\n/,
    ],
    [
      'SQL',
      `Write a SQL query that answers the question.\n\n${SCHEMA}\n\nQuestion: Which customers spent the most last month?`,
      /^```sql\nSELECT customers\.name,\n {7}SUM\(orders\.total\) AS total\nFROM orders\nJOIN customers ON customers\.id = orders\.customer_id\nWHERE [\s\S]*GROUP BY customers\.name\nORDER BY total DESC\nLIMIT 10;\n```/,
    ],
    [
      'one of the answers that are offered',
      'Answer with only one of: bug, wish, praise.\n\nMessage: I found a bug in the export of long contracts.',
      /^\*\*bug\*\*$/,
    ],
    [
      'sides of a matter of which nothing is given',
      'Write a list of five ideas for a team offsite in Bern',
      /^(?:- \*\*(?:Team offsite|Bern)\*\*: .*\n?){5}$/,
    ],
  ])(
    'Without a key the sandbox answers in the form that is asked for: a list, a table, mail, headings, findings in code, SQL, or one of the answers offered; by a schema in JSON that matches. It takes the prompt’s own words, and answers the same each time. (%s)',
    async (_form, prompt, expected) => {
      expect(await formed(prompt)).toMatch(expected)
    },
  )

  it('takes the form from the system prompt where the message names none', async () => {
    const text = await formed(MESSAGES, { system: 'Answer as a table with the columns Topic and Message.' })
    expect(text).toMatch(/^\| Topic \| Message \|\n/)
  })

  it('keeps a bar in a cell from becoming a column', async () => {
    const text = await formed('A table with the columns Point and Topic.\n\n- one | two\n- three || four')
    expect(text).toContain('| one \\| two |')
  })

  it('works on what an earlier answer of its own holds, not on what stands around it', async () => {
    const table = await answer(
      `Count the messages in a table with the columns Topic, Count and Example.\n\n${MESSAGES}`,
    )
    const ofTable = await formed(`List what stands in the digest.\n\nDigest:\n${table}`)
    expect(ofTable).toMatch(/^- \*\*Problems\*\*: 2, The export is so slow/)
    const unformed = await answer('Write a warm welcome for Grace.')
    const ofUnformed = await formed(`List what stands in the digest.\n\nDigest:\n${unformed}`)
    expect(ofUnformed).toBe('- Write a warm welcome for Grace.')
  })

  it.each([
    ['no form', 'Write a warm welcome for Grace.'],
    ['JSON', 'Return a list of three names as JSON.'],
    ['no more than a word', 'Explain'],
  ])('of %s it says what was asked, as before', async (_name, prompt) => {
    const text = await answer(prompt)
    expect(text).toMatch(
      /^\[sandbox\] No model was called\. This is an offline stand-in for \*\*claude\*\*\.\n\nYour request begins:/,
    )
    expect(text).toContain(`> ${prompt}`)
  })

  it('answers a schema by bare JSON that matches it, with the names of its fields', async () => {
    const choice = { type: 'string', enum: ['high', 'low'] }
    const item = {
      type: 'object',
      properties: { first_name: { type: 'string' }, born: { type: 'string', format: 'date' } },
    }
    const properties = {
      severity: choice,
      people: { type: 'array', minItems: 2, items: item },
      refund: { type: 'number', minimum: 3 },
      count: { type: 'integer' },
      ok: { type: 'boolean' },
      code: { type: 'string', minLength: 20, maxLength: 22 },
      note: { type: ['string', 'null'] },
    }
    const schema = {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    }
    const text = await answer('List three names.', { schema: { name: 'names', schema } })
    expect(checkAnswer({ schema, text }).errors).toEqual([])
    expect(JSON.parse(text)).toMatchObject({
      severity: 'high',
      people: [{ first_name: 'sandbox: first name' }, {}],
    })
  })

  it('finds its way through a caller’s schema, and out of one without end', async () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, again: { $ref: '#' }, one: { anyOf: [{ type: 'null' }] } },
      $defs: { a: { const: 'x' } },
    }
    const text = await answer('Hi', { schema: { name: 'names', schema } })
    expect(JSON.parse(text)).toMatchObject({ a: 'x', again: { a: 'x' }, one: null })
  })
})

describe('whatever it is given, the sandbox', () => {
  const hostile: [string, string][] = [
    ['a million bars', '|'.repeat(1_000_000)],
    ['a million marks of lists', '- '.repeat(500_000)],
    ['a million empty lines', '\n'.repeat(1_000_000)],
    ['a million spaces between two words', `write${' '.repeat(1_000_000)}now`],
    ['one long word', 'x'.repeat(1_000_000)],
    ['a hundred thousand columns', `${'a, '.repeat(300_000)}`],
    ['nothing but what asks', 'write a table with columns '.repeat(40_000)],
    ['open brackets', 'a('.repeat(500_000)],
    ['open fences', '```\n'.repeat(250_000)],
    ['colons', 'A: '.repeat(300_000)],
    ['ends of sentences', '. '.repeat(500_000)],
    ['halves of letters', '\u{1F600}'.repeat(250_000)],
  ]
  it.each(hostile)('answers %s at once, and briefly', async (_name, text) => {
    for (const ask of [
      'A table with the columns A and B:',
      'Write a mail:',
      'Write SQL:',
      'Summarise as a list:',
      '',
    ]) {
      const before = process.cpuUsage()
      const reply = await answer(`${ask}\n\n${text}\n\n${ask}`)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_500)
      expect(reply.startsWith('[sandbox] ')).toBe(true)
      expect(reply.length).toBeLessThan(5_000)
      expect(reply.isWellFormed()).toBe(true)
    }
  })

  it('says the same to the same prompt, and streams it in few texts', async () => {
    const prompt = `List the 20 points.\n\n${Array.from({ length: 50 }, (_, index) => `- Point ${index} ${'of many '.repeat(30)}`).join('\n')}`
    const whole = await answer(prompt)
    const texts: string[] = []
    for await (const event of models.stream({ alias: 'claude', prompt })) {
      if (event.type === 'delta') texts.push(event.text)
    }
    expect(texts.join('')).toBe(whole)
    expect(whole.length).toBeGreaterThan(1_500)
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.length).toBeLessThanOrEqual(75)
  })
})
