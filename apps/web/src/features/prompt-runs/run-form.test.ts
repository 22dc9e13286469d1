import { expect, test } from 'vitest'
import {
  fieldsOf,
  followPrompt,
  formOfPrompt,
  hasValue,
  isEdited,
  previewOf,
  type RunForm,
  requestOf,
  type StoredVariable,
} from './run-form.ts'

const prompt = { id: 7, content: 'Write a $<tone> welcome for $<customer>. Keep it $<tone>.' }
const text = {
  type: 'text',
  problem: null,
  allowedValues: [],
  placeholder: '',
  api: null,
  isOwnDrive: false,
  media: null,
  lender: null,
  isPrivate: false,
} as const
const stored = new Map<string, StoredVariable>([['tone', { ...text, content: 'warm' }]])

function send(change: Partial<RunForm> = {}) {
  const form = {
    template: prompt.content,
    typed: {},
    userInput: '',
    systemPrompt: '',
    messages: [],
    settings: {},
    ...change,
  }
  return requestOf({ prompt, model: 'claude', form, fields: fieldsOf({ form, stored }) })
}

test('an untouched form sends the prompt and the model only', () => {
  expect(send()).toEqual({ promptId: 7, model: 'claude' })
})

test('a value that the library does not have is sent; one that it has is not', () => {
  expect(send({ typed: { customer: 'Ada', tone: 'warm' } })).toEqual({
    promptId: 7,
    model: 'claude',
    variableValues: { customer: 'Ada' },
  })
})

test('a changed value is sent, an emptied one too; an empty one of an unknown name leaves the reference', () => {
  expect(send({ typed: { tone: '', customer: '' } }).variableValues).toEqual({ tone: '' })
})

test('a value of a name that the template no longer has is not sent', () => {
  expect(send({ template: 'Hello $<tone>', typed: { customer: 'Ada' } })).toEqual({
    promptId: 7,
    model: 'claude',
    template: 'Hello $<tone>',
  })
})

test('names that an object has by itself are values like any other', () => {
  const template = '$<constructor> $<__proto__> $<toString>'
  const typed = JSON.parse('{"__proto__": "p", "constructor": "c"}')
  const { variableValues } = send({ template, typed })
  expect(JSON.stringify(variableValues)).toBe('{"constructor":"c","__proto__":"p"}')
})

test('an edited copy is sent; other line breaks are no edit', () => {
  const windows = { content: 'a\r\nb' }
  const form = { template: 'a\nb', typed: {}, userInput: '', systemPrompt: '', messages: [], settings: {} }
  expect(isEdited({ form, prompt: windows })).toBe(false)
  expect(isEdited({ form: { ...form, template: 'a\nc' }, prompt: windows })).toBe(true)
})

test('A run takes additional context and, under Advanced, a system prompt.', () => {
  expect(send({ userInput: ' \n', systemPrompt: ' ' })).toEqual({ promptId: 7, model: 'claude' })
  expect(send({ userInput: 'Briefly.', systemPrompt: 'Terse.' })).toMatchObject({
    userInput: 'Briefly.',
    systemPrompt: 'Terse.',
  })
})

test('The form shows the prompt’s variables with their types and values.', () => {
  const form = {
    template: prompt.content,
    typed: { tone: 'cold' },
    userInput: '',
    systemPrompt: '',
    messages: [],
    settings: {},
  }
  const { isPrivate: _, ...shown } = text
  expect(fieldsOf({ form, stored })).toEqual([
    { ...shown, isAsked: false, name: 'tone', stored: 'warm', value: 'cold', changed: true },
    {
      name: 'customer',
      type: null,
      stored: null,
      value: '',
      changed: false,
      problem: null,
      allowedValues: [],
      placeholder: 'Variable customer not defined in system',
      api: null,
      isOwnDrive: false,
      media: null,
      lender: null,
      isAsked: false,
    },
  ])
})

test('an own private value is asked for where another brought its name in, or nobody knows who did', () => {
  const form = { template: '$<Tone>', typed: {}, userInput: '', systemPrompt: '', messages: [], settings: {} }
  const own = new Map<string, StoredVariable>([['Tone', { ...text, content: 'warm', isPrivate: true }]])
  const isAsked = (stored: typeof own, othersNames?: string[]) =>
    fieldsOf({ form, stored, othersNames }).map((field) => field.isAsked)
  expect([isAsked(own, ['tone']), isAsked(own, []), isAsked(own)]).toEqual([[true], [false], [true]])
  const open = new Map<string, StoredVariable>([['Tone', { ...text, content: 'warm' }]])
  expect(isAsked(open, ['tone'])).toEqual([false])
})

test('what will be sent keeps references without a value', () => {
  const form = {
    template: prompt.content,
    typed: {},
    userInput: 'Briefly.',
    systemPrompt: '',
    messages: [],
    settings: {},
  }
  expect(previewOf({ form, fields: fieldsOf({ form, stored }) })).toBe(
    'Write a warm welcome for $<customer>. Keep it warm.\n\nBriefly.',
  )
})

const api = {
  type: 'api',
  problem: null,
  allowedValues: [],
  placeholder: 'API content will appear here after fetching',
  api: { variableId: 3, apiUrl: 'https://example.org/news' },
  isOwnDrive: false,
  media: null,
  lender: null,
  isPrivate: false,
} as const

function sendFetched(content: string | null, typed: Record<string, string> = {}) {
  const form = {
    template: 'News: $<news>',
    typed,
    userInput: '',
    systemPrompt: '',
    messages: [],
    settings: {},
  }
  const fields = fieldsOf({ form, stored: new Map([['news', { ...api, content }]]) })
  return requestOf({ prompt: { id: 7, content: 'News: $<news>' }, model: 'claude', form, fields })
}

test('A value that has to be fetched is not sent as if typed: the run fetches it.', () => {
  expect(sendFetched(null)).not.toHaveProperty('variableValues')
  expect(sendFetched('{ "version": 1 }')).not.toHaveProperty('variableValues')
  expect(sendFetched('{ "version": 1 }', { news: 'none' }).variableValues).toEqual({ news: 'none' })
  expect(sendFetched(null, { news: 'none' }).variableValues).toEqual({ news: 'none' })
})

test('what the run will fetch counts as a value, what it can’t fetch does not', () => {
  const form = { template: '$<news>', typed: {}, userInput: '', systemPrompt: '', messages: [], settings: {} }
  const countOf = (problem: string | null) =>
    fieldsOf({ form, stored: new Map([['news', { ...api, content: null, problem }]]) }).filter(hasValue)
      .length
  expect(countOf(null)).toBe(1)
  expect(countOf('Error loading content: It rests')).toBe(0)
})

test('settings are sent only where they are not as the prompt has them; null takes one away', () => {
  const set = {
    ...{
      id: 7,
      content: 'Sort it.',
      systemPrompt: 'For $<product>.',
      effort: 'high' as const,
      maxTokens: 300,
    },
    messages: [{ role: 'user' as const, content: 'About $<ticket>.' }],
  }
  const form = formOfPrompt(set)
  const send = (change: Partial<RunForm>) =>
    requestOf({ prompt: set, model: 'claude', form: { ...form, ...change }, fields: [] })
  expect(fieldsOf({ form, stored: new Map() }).map(({ name }) => name)).toEqual(['product', 'ticket'])
  expect(send({})).toEqual({ promptId: 7, model: 'claude', template: undefined })
  expect(send({ systemPrompt: '', messages: [], settings: { effort: 'low', temperature: 1 } })).toMatchObject(
    {
      ...{ systemPrompt: null, messages: null, effort: 'low', temperature: 1, maxTokens: null },
    },
  )
  const after = followPrompt({
    form: { ...form, settings: {} },
    base: set,
    prompt: { ...set, systemPrompt: 'New.' },
  })
  expect(after).toMatchObject({ systemPrompt: 'New.', settings: {} })
})
