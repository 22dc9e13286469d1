import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReadFile } from './draft.ts'
import { readFiles } from './read-files.ts'

const given = (name: string) => readFileSync(new URL(`testing/given/${name}`, import.meta.url), 'utf8')
function read(name: string, text = given(name)): ReadFile {
  const [only] = readFiles([{ name, text }])
  if (only === undefined) throw new Error('Nothing was read')
  return only
}
const linesOf = ({ losses }: ReadFile) => losses.map(({ at, reason }) => `${at}: ${reason}`)
const command = (text: string, front = 'description: d') =>
  read('.claude/commands/a.md', `---\n${front}\n---\n${text}\n`)
const contentOf = ({ prompts: [prompt] }: ReadFile) => prompt?.content

test('prices and code of a skill stay as they are, and it comes as a skill', () => {
  const text = given('price-skill.md')
  const found = read('prices/SKILL.md', text)
  expect(contentOf(found)).toBe(text.replace(/^---\n[\s\S]*?\n---\n/, '').trimEnd())
  expect(found.prompts[0]).toMatchObject({
    title: 'pricing-helper',
    skill: { description: 'Answers questions on prices', parts: [] },
  })
  expect(linesOf(found)).toEqual([])
})

test('`$1` to `$9` are variables in Claude’s commands alone.', () => {
  const found = command('Fix $1 with $2. Never `$1`, "\\$1" or $12.')
  expect(contentOf(found)).toBe('Fix $<argument_1> with $<argument_2>. Never `$1`, "\\$1" or $12.')
  expect(linesOf(found)).toEqual([
    'text: $1 is a variable here: argument_1',
    'text: $2 is a variable here: argument_2',
    expect.stringMatching(/^text: \$1 is in code/),
    'description: description is kept as a note',
  ])
  expect(contentOf(command('saves them $2 in labor, $1.50 each'))).toBe('saves them $2 in labor, $1.50 each')
  expect(contentOf(read('a.md', '---\nargument-hint: [pr]\n---\nReview $1'))).toBe('Review $<argument_1>')
  expect(contentOf(read('a.md', 'Review $1 and $ARGUMENTS'))).toBe('Review $1 and $ARGUMENTS')
})

test('Roles make messages in Prompty and dotprompt alone.', () => {
  const found = read('compose.prompty')
  expect(found.prompts).toMatchObject([
    {
      content: expect.stringContaining('    user:\n      name: "1000"\n```\n\nAnswer with YAML only.'),
      settings: { systemPrompt: 'You repair docker compose files.', temperature: 0 },
    },
  ])
  expect(linesOf(found)).toContain('text: Its role lines turn it into 2 messages')
  expect(contentOf(read('user-heading.md'))).toBe(given('user-heading.md').trim())
  const fenced = 'system:\nBe brief.\n\nuser:\n```\nuser:\n```\nSum it up.'
  expect(contentOf(read('a.prompty', `---\nmodel: {api: chat}\n---\n${fenced}`))).toBe(
    '```\nuser:\n```\nSum it up.',
  )
})

test('Words of a template language, loops and code stay as text.', () => {
  const text =
    '{{history}} {{end}} {{else}} {{this}} {{@index}} {{name}} {{#each a}}{{name}}{{/each}} \\{{raw}}'
  const found = read('a.prompt', `---\nmodel: googleai/gemini\n---\n${text}`)
  expect(contentOf(found)).toBe(text.replace('{{name}}', '$<name>'))
  expect(linesOf(found).filter((line) => line.includes('is a special word in dotprompt'))).toHaveLength(5)
  expect(linesOf(found)).toContain('text: {{name}} is in a loop, which is not run here: it stays as text')
  const jinja = '{% for a in b %}{{a}} {{loop.index}}{% endfor %} {{env.KEY}} {{c}}'
  const suite = read('promptfooconfig.yaml', JSON.stringify({ prompts: [jinja], providers: [], tests: [] }))
  expect(contentOf(suite)).toBe(jinja.replace('{{c}}', '$<c>'))
  // Of a language without such words they are names as any other.
  const langfuse = JSON.stringify({ name: 'a', type: 'text', prompt: '{{history}} {{end}}' })
  expect(contentOf(read('a.json', langfuse))).toBe('$<history> $<end>')
  const workflow = read('a/SKILL.md', `---\ndescription: d\n---\nUse \${{ secrets.KEY }} for {{who}}.`)
  expect(contentOf(workflow)).toBe(`Use \${{ secrets.KEY }} for $<who>.`)
  expect(linesOf(workflow)).toEqual([
    `text: \${{ secrets.KEY }} is filled in by a workflow: it stays as text`,
    'text: {{who}} is a variable here: $<who>',
  ])
})

test('Two names never become one.', () => {
  const found = read('langfuse-names.json')
  expect(contentOf(found)).toContain('Hello $<customer_name_2> and $<customer_name>')
  expect(linesOf(found)[0]).toBe(
    '[0].prompt: {{customer-name}} is called customer_name_2 here: names are letters, digits and underscores, and customer_name is another variable',
  )
  const both = JSON.stringify({ id: 'pmpt_a', instructions: '{{a.b}} {{a-b}}', input: '{{a_b}}' })
  expect(read('a.json', both).prompts[0]).toMatchObject({
    content: '$<a_b>',
    settings: { systemPrompt: '$<a_b_2> $<a_b_3>' },
  })
  const table = read('prompts-chat-names.csv')
  expect(contentOf(table)).toBe('Write $<Urun_Adi> for $<product_name> and $<product_name_2> $<x> {{y}} $<1>')
  expect(linesOf(table).filter((line) => line.startsWith('line 2.prompt'))).toHaveLength(4)
})

test('many names that would be one take no longer than as many that are not', () => {
  const text = (count: number, isAlike: boolean) =>
    Array.from({ length: count }, (_, index) =>
      isAlike
        ? `{{a${'-'.repeat(1 + (index % 200))}${'.'.repeat(1 + Math.floor(index / 200))}b}}`
        : `{{a-${index}}}`,
    ).join('')
  const spent = (isAlike: boolean) => {
    const source = JSON.stringify({ id: 'pmpt_a', instructions: text(10_000, isAlike) })
    const from = process.cpuUsage()
    const found = read('a.json', source)
    const { user } = process.cpuUsage(from)
    expect(new Set(contentOf(found)?.match(/\$<\w+>/g)).size).toBe(10_000)
    return user
  }
  spent(false)
  expect(spent(true)).toBeLessThan(12 * spent(false))
})

test('what is asked for with braces in it, or is long, becomes a variable with a line', () => {
  expect(contentOf(read('open-webui-options.json'))).toBe(
    'Write a mail in a $<tone> tone about $<topic>. Today is $<CURRENT_DATE>. Price $<5 or $100? <b>bold</b>',
  )
  const long = `{{tone | select:options=${JSON.stringify(['x'.repeat(1_500)])}}}`
  const found = read('a.json', JSON.stringify([{ command: '/a', content: long }]))
  expect(contentOf(found)).toBe('$<tone>')
  expect(found.losses[0]).toMatchObject({ kept: long, now: '$<tone>' })
})

test('everything that stays as text is named, however much it is', () => {
  const pieces = Array.from({ length: 70 }, (_, index) => `{{! ${index} }}`)
  const found = read('a.json', JSON.stringify({ id: 'pmpt_a', instructions: `Do. ${pieces.join(' ')}` }))
  const kept = JSON.stringify(found.losses.map((loss) => loss.kept))
  for (const piece of pieces) expect(kept).toContain(piece)
  expect(linesOf(found)).toContainEqual(expect.stringMatching(/51 more of these kinds/))
  const tools = Array.from({ length: 9 }, (_, index) => ({ type: 'function', name: `tool_${index}` }))
  const asked = read('a.json', JSON.stringify({ id: 'pmpt_a', instructions: 'x', tools }))
  for (const { name } of tools) expect(linesOf(asked).join()).toContain(name)
})

test('promptfoo’s settings of a prompt and of providers come along, with each vendor’s model as the vendor calls it.', () => {
  const found = read('promptfoo-response-format.yaml')
  expect(found.prompts).toMatchObject([
    {
      title: 'With schema',
      settings: {
        model: 'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
        temperature: 0.2,
        output: { type: 'json', schema: { required: ['a'] } },
      },
    },
  ])
  const lines = linesOf(found).join('\n')
  for (const each of ['providers[0].label', 'providers[0].delay', 'headers.X-A'])
    expect(lines).toContain(each)
  expect(JSON.stringify(found)).not.toContain('"b"')
  expect(read('promptfoo-provider-map.yaml').prompts).toMatchObject([
    { settings: { model: 'gpt-4o', temperature: 0.1, maxTokens: 77 } },
  ])
})

test.each([
  ['openai:chat:gpt-4o', 'gpt-4o'],
  ['openai:chat:ft:gpt-4o:org::id', 'ft:gpt-4o:org::id'],
  ['ollama:chat:llama3:8b', 'llama3:8b'],
  ['anthropic:messages:claude-sonnet-5', 'claude-sonnet-5'],
  ['bedrock:anthropic.claude-v2:1', 'anthropic.claude-v2:1'],
  ['vertex:gemini-2.5-pro', 'gemini-2.5-pro'],
  ['openrouter:meta-llama/llama-3:free', 'meta-llama/llama-3:free'],
  ['http://localhost:4000', undefined],
  ['python://./provider.py', undefined],
  ['file://provider.js', undefined],
  ['mcp', undefined],
  ['openai:assistant:asst_1', undefined],
  ['openai:chat', undefined],
  ['exec:python a.py', undefined],
])('the provider %s asks the model %s', (id, model) => {
  const found = read(
    'promptfooconfig.yaml',
    JSON.stringify({ prompts: ['a {{b}}'], providers: [id], tests: [] }),
  )
  expect(found.prompts[0]?.settings.model).toBe(model)
  expect(linesOf(found).some((line) => line.includes('does not name a model'))).toBe(model === undefined)
})

test('promptfoo: a description of several prompts, defaults without tests, tests alone, and a value that only looks like a template', () => {
  const lines = linesOf(
    read(
      'promptfooconfig.yaml',
      JSON.stringify({
        ...{ description: 'Both', prompts: ['a', 'b'], providers: ['echo'], tests: 'file://tests.csv' },
        defaultTest: { assert: [{ type: 'contains', value: 'x' }] },
      }),
    ),
  ).join('\n')
  expect(lines).toMatch(/description: It belongs to several prompts/)
  expect(lines).toMatch(/defaultTest: There is no test here/)
  expect(read('tests-list.json')).toMatchObject({ format: 'promptfoo', problem: null, prompts: [] })
  expect(linesOf(read('tests-list.json'))).toEqual([expect.stringMatching(/^tests: 1 test has no prompt/)])
  expect(linesOf(read('tests-semicolon.csv'))).toEqual([expect.stringMatching(/table of tests/)])
  const tests = [{ vars: { a: '{# x', b: '{{ y', c: '{# z #}' } }]
  const suite = read('promptfooconfig.yaml', JSON.stringify({ prompts: ['{{a}}'], providers: [], tests }))
  expect(suite.prompts[0]?.suite?.cases[0]?.values).toEqual({ a: '{# x', b: '{{ y' })
})

test('Tables may be separated by semicolons.', () => {
  expect(read('prompts-chat-semicolon.csv').prompts).toMatchObject([
    { title: 'Koch', content: 'Gib mir ein Rezept, bitte' },
  ])
  const rows = 'act,prompt,type\n"A","one\ntwo",TEXT\n\n"B","three\n\nfour",IMAGE\n"C",five,VIDEO\n'
  expect(linesOf(read('a.csv', rows)).map((line) => line.split(':')[0])).toEqual(['line 5', 'line 8'])
})

test('what a prompt is there, and what it refers to, has a line', () => {
  expect(linesOf(read('langfuse-composed.json'))).toContainEqual(
    expect.stringMatching(/langfusePrompt:name=base.* is another prompt in Langfuse/),
  )
  const off = read('open-webui-inactive.json')
  expect(off.prompts).toMatchObject([{ isActive: false }])
  expect(linesOf(off)).toContain('[0].meta.description: description is kept as a note')
  const front = 'title: A\nname: a\nversion: 2\nmodel: googleai/gemini\noutput: {format: json}'
  const lines = linesOf(read('a.prompt', `---\n${front}\n---\nHello`)).join('\n')
  for (const each of ['name: title is used here', 'version: version is kept', 'output.format: JSON without'])
    expect(lines).toContain(each)
  const long = read('a.json', JSON.stringify({ id: 'pmpt_a', name: 'x'.repeat(300), instructions: 'a' }))
  expect(linesOf(long)).toContain('title: The title is cut off after 200 characters')
})

test('Front matter is read as people write it.', () => {
  const found = read('cursor-rule.mdc')
  expect(contentOf(found)).toBe('Use TS')
  expect(linesOf(found)).toContain('globs: globs is kept as a note')
  expect(found.losses.find(({ at }) => at === 'globs')?.kept).toBe('*.ts')
  const colon = read('a/SKILL.md', '---\nname: a\ndescription: Use it when: asked\n---\nText')
  expect(colon.prompts[0]?.skill?.description).toBe('Use it when: asked')
})
