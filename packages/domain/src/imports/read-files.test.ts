import { expect, test } from 'vitest'
import type { ReadFile, SourceFile } from './draft.ts'
import { readFiles } from './read-files.ts'
import { FIXTURES, OPENAI_OBJECT, OPENAI_REPLY, SNIPPET } from './testing/fixtures.ts'

function read(file: SourceFile | undefined): ReadFile {
  const [only] = readFiles([file ?? { name: '', text: '' }])
  if (only === undefined) throw new Error('Nothing was read')
  return only
}
const json = (value: unknown, name = 'prompts.json') => read({ name, text: JSON.stringify(value) })
const linesOf = ({ losses }: ReadFile) => losses.map(({ at, reason }) => `${at}: ${reason}`)

const each = (which: 'read' | 'broken') =>
  Object.entries(FIXTURES).flatMap(([format, fixtures]) =>
    fixtures[which].map(({ about, file }) => [format, about, file] as const),
  )

test.each(each('read'))(
  'Langfuse, Markdown with front matter, Open WebUI, prompts.chat and promptfoo are told apart by their content. (%s, %s)',
  (format, _about, file) => {
    expect(read(file)).toMatchObject({ format, problem: null })
  },
)

test.each(each('broken'))(
  'Broken files are refused in a sentence with the place. (%s, %s)',
  (_format, _about, file) => {
    const { prompts, problem, losses } = read(file)
    expect(prompts).toEqual([])
    expect(losses).toEqual([{ at: '', reason: `Nothing is imported from this file. ${problem}` }])
    expect(problem).toMatch(/^[A-Z“].{10,}/)
  },
)

test('Messages, variables, model settings and the schema of the answer come along.', () => {
  const found = json(OPENAI_OBJECT)
  expect(found.prompts).toEqual([
    {
      at: '',
      title: 'Refund reply',
      alias: 'pmpt_68a1b2c3d4e5f6',
      content: 'Answer $<customer_name>: $<request>',
      settings: {
        model: 'gpt-4o',
        effort: 'low',
        temperature: 0.4,
        maxTokens: 900,
        output: { type: 'json', schema: OPENAI_OBJECT.text.format.schema },
        systemPrompt: 'You write for $<company>. Never promise a date.',
        messages: [
          { role: 'user', content: 'Where is my parcel?' },
          { role: 'assistant', content: 'I will look it up.' },
        ],
      },
      tags: [],
      note: 'From OpenAI, pmpt_68a1b2c3d4e5f6, version 7',
    },
  ])
  expect(linesOf(found)).toEqual([
    'messages[3].content: {{customer-name}} is called customer_name here: names are letters, digits and underscores',
    'reasoning.effort: The effort minimal becomes low, the nearest here',
    'text.format.name: name is kept as a note',
    'variables: The values of its variables are kept as a note, their names are imported: company, customer-name, request',
    'tools: Tools are kept as a note, not run: find_order',
  ])
  expect(found.losses.find(({ at }) => at === 'tools')?.kept).toEqual(OPENAI_OBJECT.tools)
})

test('OpenAI’s prompt objects are read as an object, a list, one a line, a reply of the API or a request body.', () => {
  const found = json(OPENAI_REPLY)
  expect(found.prompts).toMatchObject([
    {
      title: 'Reply with $<count> dots.',
      alias: 'pmpt_68a1dots',
      content: 'Reply with $<count> dots.',
      settings: { model: 'gpt-4.1-nano-2025-04-14' },
      note: 'From OpenAI, pmpt_68a1dots, version 3',
    },
  ])
  expect(linesOf(found)).toEqual([
    expect.stringMatching(/^instructions: It has no user message/),
    expect.stringMatching(/^variables: The reply was saved with values/),
    ': OpenAI’s internal fields are not imported: object, status, output, usage, background, created_at, id',
  ])
})

test('Code that only calls a prompt says that its text is not in it.', () => {
  const found = read({ name: 'Pasted text', text: SNIPPET })
  expect(found).toMatchObject({ format: 'openai', prompts: [], problem: null })
  expect(linesOf(found)).toEqual([expect.stringContaining('This has only the id pmpt_snippet1')])
  const asJson = json({ prompt: { prompt_id: 'pmpt_abc', version: '1', variables: { a: 'b' } } })
  expect(linesOf(asJson)).toEqual([expect.stringContaining('This has only the id pmpt_abc')])
})

test('of several versions the newest comes, and each other has a line', () => {
  const versions = ['2', '10', '9'].map((version) => ({ ...OPENAI_OBJECT, version, name: `v${version}` }))
  const found = json(versions)
  expect(found.prompts.map(({ title }) => title)).toEqual(['v10'])
  expect(linesOf(found).filter((line) => line.includes('is not imported'))).toEqual([
    expect.stringMatching(/^\[0\]: Version 2 /),
    expect.stringMatching(/^\[2\]: Version 9 /),
  ])
})

test('Tools, images, sample values and what else has no place has a line with its place.', () => {
  const found = json({
    ...{ id: 'pmpt_x', model: 'gpt-4o', top_p: 0.3, temperature: 3, stop: ['a', 'b', 'c', 'd', 'e'] },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'https://x.org/a.png' },
        ],
      },
      { role: 'developer', content: 'Late' },
      { role: 'assistant', content: 'It is' },
    ],
    text: { format: { type: 'json_schema', schema: { anyOf: [] } }, verbosity: 'low' },
  })
  expect(found.prompts[0]?.settings).toEqual({
    model: 'gpt-4o',
    stop: ['a', 'b', 'c', 'd'],
    systemPrompt: 'Late',
  })
  expect(linesOf(found).map((line) => line.split(': ')[0])).toEqual(
    expect.arrayContaining([
      'messages[0].content[1]',
      'messages[1]',
      'messages[2]',
      'temperature',
      'stop',
      'text.format',
      'text.verbosity',
      'top_p',
    ]),
  )
})

test('two forms of braces are variables, expressions stay as text with a line', () => {
  const found = json({
    id: 'pmpt_x',
    instructions: '{{a}} {{{b}}} {{ c }} {{Größe x}} {{#if d}}e{{/if}} {% for %} $<own>',
  })
  expect(found.prompts[0]?.content).toBe('$<a> $<b> $<c> $<Grosse_x> {{#if d}}e{{/if}} {% for %} $<own>')
  expect(linesOf(found).join('\n')).toMatch(/is called Grosse_x here[\s\S]*\{\{#if d\}\} is more/)
})

test('what no database keeps is replaced, with a line', () => {
  const found = read({
    name: 'a.json',
    text: '{"id":"pmpt_x","name":"a\\u0000b","instructions":"\\ud800 c"}',
  })
  expect(found.prompts).toMatchObject([{ title: 'a\ufffdb', content: '\ufffd c' }])
  expect(linesOf(found)).toContain(': Characters that can’t be stored were replaced')
})

test('Langfuse: the released version, folder and tags, config, and a line for labels and placeholders', () => {
  const found = read(FIXTURES.langfuse?.read[0]?.file)
  expect(found.prompts).toMatchObject([
    {
      title: 'movie-critic',
      alias: 'support/movie-critic',
      content: 'As a $<criticLevel> movie critic, do you like $<movie>?',
      settings: { model: 'gpt-4o', temperature: 0.5 },
      tags: ['movies', 'support'],
    },
    { title: 'guide', content: 'Where to?', settings: { systemPrompt: 'You guide $<visitor>.' } },
  ])
  expect(linesOf(found).map((line) => line.split(': ')[0])).toEqual([
    '[0].config.supported_languages',
    '[0].labels',
    '[1]',
    '[2].prompt[1]',
  ])
})

test('Markdown: skills, commands, VS Code, Prompty and dotprompt each by their own words', () => {
  const [skill, command, code, prompty, dotprompt, plain] = (FIXTURES.markdown?.read ?? []).map(({ file }) =>
    read(file),
  )
  expect(skill?.prompts).toMatchObject([
    {
      title: 'pdf-forms',
      content: expect.stringContaining('Follow $1 for $<arguments>'),
      skill: { description: 'Fills PDF forms.', parts: [] },
    },
  ])
  expect(command?.prompts).toMatchObject([{ title: 'fix', settings: { model: 'claude-sonnet-5' } }])
  expect(command && linesOf(command).join('\n')).toMatch(/shell would run[\s\S]*allowed-tools/)
  expect(code?.prompts).toMatchObject([{ title: 'review', content: `Review $<file> and \${selection}.` }])
  expect(prompty?.prompts).toMatchObject([
    {
      title: 'Basic',
      content: '$<question>',
      settings: { model: 'gpt-4o', maxTokens: 128, temperature: 0.2, systemPrompt: 'You answer briefly.' },
    },
  ])
  // How a model is reached, and with which key, is not kept.
  expect(JSON.stringify(prompty)).not.toContain('secret')
  expect(dotprompt?.prompts).toMatchObject([
    {
      title: 'greet',
      content: 'Greet $<name>. {{#if polite}}Bow.{{/if}}',
      settings: {
        model: 'googleai/gemini-4-hydrogen',
        temperature: 0.7,
        systemPrompt: 'Be warm.',
        output: { type: 'json' },
      },
    },
  ])
  expect(plain?.prompts).toMatchObject([{ title: 'plain', content: 'Summarise $<text>.' }])
})

test.each(['a.prompty', 'b.md', 'c.prompt'])(
  'characters that nobody sees are no prompt text (%s)',
  (name) => {
    const found = read({ name, text: '\u0001\u200b' })
    expect(found.prompts).toEqual([])
    expect(linesOf(found).join()).toContain('It has no prompt text')
  },
)

test('Open WebUI and prompts.chat: their variables become ours', () => {
  const webui = read(FIXTURES['open-webui']?.read[0]?.file)
  expect(webui.prompts).toMatchObject([{ title: 'Summary', content: 'On $<CURRENT_DATE> sum $<text> up.' }])
  expect(linesOf(webui)).toEqual([
    expect.stringMatching(/^\[0\]\.content: CURRENT_DATE was filled in by Open WebUI/),
    expect.stringMatching(/^\[0\]\.content: How text is requested is kept as a note/),
    '[1]: It has no prompt text',
    ': Open WebUI’s internal fields are not imported: user_id',
  ])
  const chat = read(FIXTURES['prompts-chat']?.read[0]?.file)
  expect(chat.prompts).toMatchObject([
    { title: 'Linux Terminal', content: 'Act as a terminal, in $<shell>.', tags: ['for devs'] },
    { title: 'Poet', content: 'Write\ntwo lines on $<topic>.' },
  ])
  expect(linesOf(chat).join('\n')).toMatch(/its default value is kept[\s\S]*asks for IMAGE[\s\S]*text/)
})

test('promptfoo: a prompt with the provider’s model and its tests as a suite', () => {
  const found = read(FIXTURES.promptfoo?.read[0]?.file)
  expect(found.prompts).toMatchObject([
    {
      title: 'Write about $<topic> for $<audience>.',
      content: 'Write about $<topic> for $<audience>.',
      settings: { model: 'gpt-4o' },
      suite: { name: 'Launch mails', cases: [{ values: { topic: 'tea' } }] },
    },
  ])
  expect(linesOf(found).join('\n')).toMatch(/runs code[\s\S]*first provider[\s\S]*other.txt is another file/)
})

test('too many prompts at once are refused, and what is none of these is said', () => {
  const many = Array.from({ length: 2001 }, (_, index) => ({ id: `pmpt_${index}`, instructions: 'x' }))
  expect(() => json(many)).toThrow('There are 2,001 prompts. Import at most 2,000 at once')
  expect(read({ name: 'a.txt', text: 'Just a text.' })).toMatchObject({
    format: null,
    problem: expect.stringContaining('format is not supported'),
  })
})
