import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { ReadFile, SourceFile } from './draft.ts'
import { readFiles } from './read-files.ts'
import { findSilentChange, piecesOf } from './testing/explain-change.ts'
import { anyPromptText } from './testing/text-arbitraries.ts'

interface Form {
  file: (texts: readonly string[]) => SourceFile
  /** How many texts one prompt has. */
  texts: number
  isTable?: boolean
  /** Roles within the text make messages of it. */
  hasRoles?: boolean
}

const json = (name: string, value: unknown): SourceFile => ({ name, text: JSON.stringify(value) })
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const chat = ([system, question, answer, last]: readonly string[]) => [
  { role: 'system', content: system },
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
  { role: 'user', content: last },
]
const markdown = (name: string, front = 'description: d'): Form => ({
  texts: 1,
  hasRoles: true,
  file: ([text]) => ({ name, text: `---\n${front}\n---\n${text}\n` }),
})

const FORMS: Record<string, Form> = {
  'OpenAI messages': { texts: 4, file: (texts) => json('a.json', { id: 'pmpt_a', messages: chat(texts) }) },
  'OpenAI instructions': {
    texts: 2,
    file: ([system, input]) => json('a.json', { model: 'gpt-4o', instructions: system, input }),
  },
  'Langfuse text': {
    texts: 1,
    file: ([prompt]) => json('a.json', [{ name: 'a', type: 'text', prompt, labels: [] }]),
  },
  'Langfuse chat': {
    texts: 4,
    file: (texts) => json('a.json', [{ name: 'a', type: 'chat', prompt: chat(texts), labels: [] }]),
  },
  'Open WebUI': { texts: 1, file: ([content]) => json('a.json', [{ command: '/a', title: 'A', content }]) },
  'prompts.chat': {
    texts: 1,
    isTable: true,
    file: ([text = '']) => ({ name: 'a.csv', text: `act,prompt\nA,${cell(text)}\n` }),
  },
  'prompts.chat by semicolons': {
    texts: 1,
    isTable: true,
    file: ([text = '']) => ({ name: 'a.csv', text: `act;prompt\nA;${cell(text)}\n` }),
  },
  promptfoo: {
    texts: 1,
    file: ([raw]) => ({
      name: 'promptfooconfig.yaml',
      text: stringify({ prompts: [{ label: 'A', raw }], providers: ['openai:gpt-4o'], tests: [] }),
    }),
  },
  'promptfoo chat': {
    texts: 4,
    file: (texts) => ({
      name: 'promptfooconfig.yaml',
      text: stringify({ prompts: [JSON.stringify(chat(texts))], providers: ['openai:gpt-4o'], tests: [] }),
    }),
  },
  Markdown: markdown('notes.md'),
  'a skill': markdown('a/SKILL.md', 'name: a\ndescription: d'),
  'a command': markdown('.claude/commands/a.md'),
  'a command by its hint': markdown('a.md', 'argument-hint: [a]'),
  'a prompt of VS Code': markdown('.github/prompts/a.prompt.md', 'mode: agent'),
  'a rule of Cursor': markdown('a.mdc', 'description: d\nglobs: *.ts'),
  Prompty: markdown('a.prompty', 'name: A\nmodel: {api: chat}'),
  dotprompt: markdown('a.prompt', 'model: googleai/gemini'),
}

function textsOf({ prompts }: ReadFile): string[] {
  const [prompt] = prompts
  if (prompt === undefined) return []
  const { systemPrompt, messages = [] } = prompt.settings
  return [
    ...(systemPrompt === undefined ? [] : [systemPrompt]),
    ...messages.map(({ content }) => content),
    prompt.content,
  ]
}

function readOne(file: SourceFile): ReadFile {
  const [read] = readFiles([file])
  if (read === undefined) throw new Error('Nothing was read')
  return read
}

/** Where a text of the file was changed without a line; undefined: nowhere. */
function silentChange(
  read: ReadFile,
  sources: readonly string[],
  { isTable = false, hasRoles = false }: Partial<Form>,
) {
  const pieces = piecesOf(read.losses)
  const saved = textsOf(read)
  const pairs = hasRoles
    ? [[sources.join('\n'), saved.join('\n\n')] as const]
    : sources.map((source, index) => [source, saved[index] ?? ''] as const)
  return pairs
    .map(([source, text]) => findSilentChange(source, text, { pieces, isTable }))
    .find((place) => place !== undefined)
}

describe('An import changes no text without a line: a text minus the places that its lines name is the text that is saved.', () => {
  test.each(Object.entries(FORMS))('%s', (_name, form) => {
    fc.assert(
      fc.property(fc.array(anyPromptText, { minLength: form.texts, maxLength: form.texts }), (sources) => {
        const read = readOne(form.file(sources))
        expect(read.problem).toBeNull()
        if (read.prompts.length === 0) return expect(read.losses).not.toEqual([])
        const place = silentChange(read, sources, form)
        expect([place, place && textsOf(read), place && read.losses]).toEqual([
          undefined,
          undefined,
          undefined,
        ])
      }),
      { numRuns: 150, seed: 20_261_127 },
    )
  })
})

test('the check finds a piece that goes or comes without a line', () => {
  const pieces = piecesOf([{ at: '', reason: 'x', kept: '$1', now: '$<argument_1>' }])
  expect(findSilentChange('costs $1 {{a}}', 'costs $<argument_1> $<a>', { pieces })).toBeUndefined()
  expect(findSilentChange('costs $1', 'costs $<argument_1>', { pieces: [] })).toBeDefined()
  expect(findSilentChange('  a\n    b', 'a\nb', { pieces })).toBeDefined()
  expect(findSilentChange('a b', 'a', { pieces })).toBeDefined()
  expect(findSilentChange('{{a-b}}', '$<a_b>', { pieces })).toBeDefined()
})

/** Names that some form gives a meaning, at any place, and some that none has. */
const NAMES =
  `id prompt_id name title displayName display_name version versions model instructions developer system input messages
  template text prompt config labels tags command content variables tools temperature max_tokens maxTokens stop effort
  reasoning response_format label delay description category argument-hint globs alwaysApply mode api configuration
  parameters options inputs sample output outputs schema format meta is_active access_control user_id created_at updated_at
  timestamp commitMessage projectId lastConfig raw env headers apiBaseUrl function transform status object usage metadata
  default_version top_p seed cache_control annotations tool_calls surprise other-name $schema`.split(/\s+/)

/** A base of each form, and the places in it that take a field more. */
const BASES: Record<string, { name: string; root: object; at: readonly (readonly (string | number)[])[] }> = {
  openai: {
    name: 'a.json',
    root: {
      id: 'pmpt_a',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      text: { format: { type: 'json_schema', json_schema: {} } },
      prompt: {},
      reasoning: {},
    },
    at: [[], ['messages', 0], ['messages', 0, 'content', 0], ['prompt'], ['reasoning'], ['text']],
  },
  langfuse: {
    name: 'a.json',
    root: { data: [{ name: 'a', type: 'chat', prompt: [{ role: 'user', content: 'Hello' }], config: {} }] },
    at: [['data', 0], ['data', 0, 'config'], ['data', 0, 'prompt', 0], []],
  },
  'open-webui': {
    name: 'a.json',
    root: [{ command: '/a', content: 'Hello', meta: {} }],
    at: [[0], [0, 'meta']],
  },
  promptfoo: {
    name: 'promptfooconfig.yaml',
    root: {
      prompts: [{ raw: 'Hello', config: {} }, 'Again'],
      providers: [{ id: 'openai:gpt-4o', config: {} }],
      tests: [{ vars: { a: 'b' } }],
    },
    at: [
      [],
      ['prompts', 0],
      ['prompts', 0, 'config'],
      ['providers', 0],
      ['providers', 0, 'config'],
      ['tests', 0],
    ],
  },
  'promptfoo, providers by name': {
    name: 'promptfooconfig.yaml',
    root: { prompts: ['Hello'], providers: [{ 'openai:gpt-4o': { config: {} } }], tests: [] },
    at: [
      ['providers', 0, 'openai:gpt-4o'],
      ['providers', 0, 'openai:gpt-4o', 'config'],
    ],
  },
}
const FRONTS: Record<string, { name: string; root: object; at: readonly string[][] }> = {
  skill: { name: 'a/SKILL.md', root: { name: 'a' }, at: [[]] },
  command: { name: '.claude/commands/a.md', root: {}, at: [[]] },
  prompty: {
    name: 'a.prompty',
    root: { model: { api: 'chat', configuration: {}, parameters: {} } },
    at: [[], ['model'], ['model', 'configuration'], ['model', 'parameters']],
  },
  dotprompt: { name: 'a.prompt', root: { config: {}, output: {} }, at: [[], ['config'], ['output']] },
}

const SENTINEL = 'sentinel-7f3a'

/** The same tree with a field more at the place; undefined where it has it already. */
function withField(
  root: object,
  path: readonly (string | number)[],
  [name, value]: readonly [string, unknown],
) {
  const copy = structuredClone(root) as Record<string | number, unknown>
  const place = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], copy)
  if (Object.hasOwn(place as object, name)) return undefined
  ;(place as Record<string, unknown>)[name] = value
  return copy
}

/** The value is in what is saved, or a line has it or names its field. */
function isTold({ prompts, losses, problem }: ReadFile, name: string): boolean {
  if (problem !== null) return true
  if (JSON.stringify(prompts).includes(SENTINEL)) return true
  return losses.some(
    ({ at, reason, kept }) =>
      JSON.stringify(kept ?? '').includes(SENTINEL) ||
      at.split(/[.[\] ]/).includes(name) ||
      reason.includes(name),
  )
}

describe('Each field of a file is read or named, whatever stands in it.', () => {
  const values = (name: string): unknown[] => [
    SENTINEL,
    { inner: SENTINEL },
    [SENTINEL],
    [{ [name]: SENTINEL }],
  ]
  const all = [
    ...Object.entries(BASES).map(
      ([form, base]) =>
        [
          form,
          base,
          (root: object) => (base.name.endsWith('.json') ? JSON.stringify(root) : stringify(root)),
        ] as const,
    ),
    ...Object.entries(FRONTS).map(
      ([form, base]) => [form, base, (root: object) => `---\n${stringify(root)}---\nHello\n`] as const,
    ),
  ]
  test.each(all)('%s', (_form, { name: file, root, at }, write) => {
    const silent: string[] = []
    for (const path of at) {
      for (const name of NAMES) {
        for (const value of values(name)) {
          const changed = withField(root, path, [name, value])
          if (changed === undefined) continue
          const read = readOne({ name: file, text: write(changed) })
          if (!isTold(read, name)) silent.push(`${path.join('.')}: ${name} = ${JSON.stringify(value)}`)
        }
      }
    }
    expect(silent).toEqual([])
  })
})

test('nothing is silent in files as people had them', () => {
  for (const { file, source, roles } of GIVEN) {
    const text = readFileSync(new URL(`testing/given/${file}`, import.meta.url), 'utf8')
    const read = readOne({ name: file.replace('skill-', 'prices/'), text })
    expect([file, read.problem]).toEqual([file, null])
    const place = silentChange(read, source(text), {
      hasRoles: roles ?? false,
      isTable: file.endsWith('.csv'),
    })
    expect([file, place]).toEqual([file, undefined])
  }
})

const bodyOf = (text: string) => [text.replace(/^---\n[\s\S]*?\n---\n/, '')]
const GIVEN: { file: string; source: (text: string) => string[]; roles?: true }[] = [
  { file: 'price-skill.md', source: bodyOf, roles: true },
  { file: 'compose.prompty', source: bodyOf, roles: true },
  { file: 'user-heading.md', source: bodyOf, roles: true },
  { file: 'cursor-rule.mdc', source: bodyOf, roles: true },
  { file: 'langfuse-composed.json', source: (text) => [JSON.parse(text).prompt] },
  { file: 'langfuse-names.json', source: (text) => [JSON.parse(text)[0].prompt] },
  { file: 'open-webui-options.json', source: (text) => [JSON.parse(text)[0].content] },
  { file: 'open-webui-inactive.json', source: (text) => [JSON.parse(text)[0].content] },
  { file: 'prompts-chat-names.csv', source: (text) => [/,?"(Write [^"]*)"/.exec(text)?.[1] ?? ''] },
  { file: 'prompts-chat-semicolon.csv', source: () => ['Gib mir ein Rezept, bitte'] },
]
