import {
  type ExecutePromptRequest,
  type ModelAlias,
  type Prompt,
  type PromptRun,
  type Turn,
  VARIABLE_NAME_MAX,
  type VariableType,
} from '@catenary/contracts'
import { extractVariables, renderTemplate } from '@catenary/domain'
import { fileNameOf } from '../files/attachments.ts'
import type { StoredMedia } from '../files/media-value.tsx'
import type { RunSettings } from '../model-settings/trial.ts'

export interface RunForm {
  template: string
  /** Only what was typed; everything else is what the library holds. */
  typed: Readonly<Record<string, string>>
  userInput: string
  systemPrompt: string
  messages: readonly Turn[]
  settings: RunSettings
}

type RunnablePrompt = Pick<Prompt, 'content' | 'systemPrompt' | 'messages' | keyof RunSettings>

export interface VariableField extends Omit<StoredVariable, 'type' | 'content' | 'isPrivate'> {
  name: string
  /** null: not in the library. */
  type: VariableType | null
  stored: string | null
  value: string
  changed: boolean
  /** The person's own private value would enter a text into which somebody else brought the name: the run says so (D69). */
  isAsked: boolean
}

interface Lender {
  username: string
  isAdmin: boolean
}

export interface FetchedFrom {
  variableId: number
  apiUrl: string
}

export interface StoredVariable {
  type: VariableType
  content: string | null
  problem: string | null
  allowedValues: readonly string[]
  placeholder: string
  api: FetchedFrom | null
  /** A file in the Google Drive of this person, not of someone else. */
  isOwnDrive: boolean
  /** The owner of the stored value; null: this person, or there is none. */
  lender: Lender | null
  isPrivate: boolean
  /** The stored image or PDF; null: it has none, or is neither. */
  media: StoredMedia | null
}

/** Whether something will stand for the name: what is not text is fetched by the run itself. */
export function hasValue({ type, value, problem }: VariableField): boolean {
  return value !== '' || (type !== null && !IS_HERE.includes(type) && problem === null)
}

const IS_HERE: readonly VariableType[] = ['text', 'image', 'document']

export function missingOf(fields: readonly VariableField[]): string[] {
  return fields.filter((field) => !hasValue(field)).map(({ name }) => name)
}

export function formOfPrompt(prompt: RunnablePrompt): RunForm {
  return { ...textsOf(prompt), typed: {}, userInput: '' }
}

function textsOf(prompt: RunnablePrompt): Omit<RunForm, 'typed' | 'userInput'> {
  const { content, systemPrompt = '', messages = [] } = prompt
  return { template: content, systemPrompt, messages, settings: runSettingsOf(prompt) }
}

function runSettingsOf({ effort, temperature, maxTokens, stop }: RunSettings): RunSettings {
  const settings: RunSettings = {}
  if (effort !== undefined) settings.effort = effort
  if (temperature !== undefined) settings.temperature = temperature
  if (maxTokens !== undefined) settings.maxTokens = maxTokens
  if (stop !== undefined) settings.stop = stop
  return settings
}

/** The form with the inputs of an earlier run; a run of the stored text takes the text of today. */
export function formOfRun({ run, prompt }: { run: PromptRun; prompt: RunnablePrompt }): RunForm {
  const { template, variableValues, userInput, systemPrompt, messages = [] } = run
  return {
    template: template ?? prompt.content,
    typed: variableValues,
    userInput,
    systemPrompt,
    messages,
    settings: runSettingsOf(run.settings ?? {}),
  }
}

/** The form after the prompt was saved elsewhere: what nobody changed here follows. */
export function followPrompt({
  form,
  base,
  prompt,
}: Record<'base' | 'prompt', RunnablePrompt> & { form: RunForm }): RunForm {
  const [before, now] = [textsOf(base), textsOf(prompt)]
  const take = <Name extends keyof typeof now>(name: Name) =>
    isSame(form[name], before[name]) ? now[name] : form[name]
  return {
    ...form,
    template: isEdited({ form, prompt: base }) ? form.template : now.template,
    systemPrompt: take('systemPrompt'),
    messages: take('messages'),
    settings: take('settings'),
  }
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

export function namesIn({
  template,
  systemPrompt,
  messages,
}: Pick<RunForm, 'template' | 'systemPrompt' | 'messages'>): string[] {
  const texts = [template, systemPrompt, ...messages.map(({ content }) => content)]
  return [...new Set(texts.flatMap(namesOf))]
}

/** Names that a template refers to, each once; longer ones than a variable's can have no value. */
function namesOf(template: string): string[] {
  return extractVariables(template).filter((name) => name.length <= VARIABLE_NAME_MAX)
}

export function fieldsOf({
  form,
  stored,
  othersNames,
}: {
  form: RunForm
  stored: ReadonlyMap<string, StoredVariable>
  othersNames?: readonly string[] | undefined
}): VariableField[] {
  const { typed } = form
  return namesIn(form).map((name) => {
    const known = stored.get(name)
    const content = known?.content ?? null
    const value = (Object.hasOwn(typed, name) ? typed[name] : undefined) ?? content ?? ''
    const changed = content !== null && value !== content
    return {
      name,
      type: known?.type ?? null,
      stored: content,
      value,
      changed,
      problem: known?.problem ?? null,
      allowedValues: known?.allowedValues ?? [],
      placeholder: known?.placeholder ?? `Variable ${name} not defined in system`,
      api: known?.api ?? null,
      isOwnDrive: known?.isOwnDrive ?? false,
      lender: known?.lender ?? null,
      media: known?.media ?? null,
      isAsked: known?.isPrivate === true && !changed && (othersNames?.includes(name.toLowerCase()) ?? true),
    }
  })
}

/** What is sent: the template and the settings only where they were changed, values only where the library has not the same. */
export function requestOf({
  prompt,
  model,
  form,
  fields,
}: {
  prompt: RunnablePrompt & Pick<Prompt, 'id'>
  model: ModelAlias
  form: RunForm
  fields: readonly VariableField[]
}): ExecutePromptRequest {
  const { template, userInput } = form
  const own = fields.filter(({ stored, value }) => (stored === null ? value !== '' : value !== stored))
  const fills = fields.filter((field) => field.isAsked && !own.includes(field)).map(({ name }) => name)
  return {
    promptId: prompt.id,
    model,
    template: isEdited({ form, prompt }) ? template : undefined,
    ...(userInput.trim() === '' ? {} : { userInput }),
    ...changedSettings({ form, prompt }),
    ...(own.length === 0
      ? {}
      : { variableValues: Object.fromEntries(own.map(({ name, value }) => [name, value])) }),
    ...(fills.length > 0 && { fills }),
  }
}

function changedSettings({ form, prompt }: { form: RunForm; prompt: RunnablePrompt }) {
  const { systemPrompt, messages, settings } = form
  const stored = textsOf(prompt)
  const wanted = {
    systemPrompt: systemPrompt.trim() === '' ? null : systemPrompt,
    messages: messages.length === 0 ? null : [...messages],
    effort: settings.effort ?? null,
    temperature: settings.temperature ?? null,
    maxTokens: settings.maxTokens ?? null,
    stop: settings.stop ?? null,
  }
  const kept = {
    systemPrompt: stored.systemPrompt.trim() === '' ? null : stored.systemPrompt,
    messages: stored.messages.length === 0 ? null : stored.messages,
    effort: stored.settings.effort ?? null,
    temperature: stored.settings.temperature ?? null,
    maxTokens: stored.settings.maxTokens ?? null,
    stop: stored.settings.stop ?? null,
  }
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  const changed = names.filter((name) => !isSame(wanted[name], kept[name]))
  return Object.fromEntries(changed.map((name) => [name, wanted[name]])) as Partial<typeof wanted>
}

/** Whether the copy differs from the stored text; the editor's line breaks don't count. */
export function isEdited({ form, prompt }: { form: RunForm; prompt: Pick<Prompt, 'content'> }): boolean {
  return withPlainBreaks(form.template) !== withPlainBreaks(prompt.content)
}

export function previewOf({ form, fields }: { form: RunForm; fields: readonly VariableField[] }): string {
  const { systemPrompt, messages, template, userInput } = form
  const templates = [systemPrompt, ...messages.map(({ content }) => content), template]
  return [...templates.map((source) => withValues({ source, fields })), userInput]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

export function withValues({ source, fields }: { source: string; fields: readonly VariableField[] }): string {
  const known = fields.filter(({ stored, value }) => stored !== null || value !== '')
  const variables = new Map(known.map((field) => [field.name, sentText(field)]))
  return renderTemplate({ source, variables }).text
}

/** What stands in the text for the value: of an image or a PDF chosen for this run, its mark. */
export function sentText({ type, value }: Pick<VariableField, 'type' | 'value'>): string {
  const isChosen = (type === 'image' || type === 'document') && value.startsWith('uploads/')
  return isChosen ? `[${type}: ${fileNameOf(value)}]` : value
}

function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
