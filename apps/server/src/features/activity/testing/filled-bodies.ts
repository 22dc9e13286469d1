import { written } from './recorded-objects.ts'

// What people write into forms: each field that takes a text of their own has one that is looked for.

const settingTexts = () => ({
  content: written('Write'),
  systemPrompt: written('Be kind'),
  stop: [written('END')],
  messages: [{ role: 'user', content: written('Hello') }],
  note: written('Kinder'),
})

export const promptTexts = () => ({ title: written('Prompt'), ...settingTexts() })
export const stepTexts = () => ({
  title: written('Step'),
  onlyIf: { any: [{ ref: 'input', op: 'is', value: written('urgent') }] },
  default: written('Nothing'),
  ...settingTexts(),
})

export const mailStepTexts = () => ({
  ...{ kind: 'tool', title: written('Mail'), content: '', outputVariableName: 'mailed' },
  tool: { type: 'mail', to: ['ana@example.com'], subject: written('About'), text: written('Dear Ana') },
})

export const chainTexts = () => ({
  description: written('Letters to people'),
  exampleRequests: [written('Write to Ada')],
})

const assertionTexts = () => [
  { type: 'contains', value: written('yes'), metric: written('tone') },
  { type: 'contains-any', value: [written('yes'), written('no')] },
  { type: 'llm-rubric', value: written('It is polite'), rubricPrompt: written('Judge {{output}}') },
]

export const caseTexts = () => ({
  name: written('Case'),
  input: written('More'),
  values: { word: written('one') },
  tags: [written('tag')],
  given: { a: written('approve') },
  assertions: assertionTexts(),
})

export const suiteTexts = () => ({
  name: written('Suite'),
  defaults: { values: { word: written('one') }, assertions: assertionTexts() },
})

/** What a variable may be: one of some texts, or what an address answers. */
export function chosenText() {
  const content = written('cold')
  return { type: 'text', content, allowedValues: [content, written('warm')] }
}
export const fetchedText = () => ({
  type: 'api',
  apiUrl: `https://api.example.org/${written('path').replace(' ', '/')}`,
  apiHeaders: { 'x-key': written('key') },
})
