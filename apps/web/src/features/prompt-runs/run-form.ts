import {
  type Attachment,
  type ExecutePromptRequest,
  type ModelAlias,
  type Prompt,
  type PromptRun,
  VARIABLE_NAME_MAX,
  type VariableType,
} from '@catenary/contracts'
import { extractVariables, renderTemplate } from '@catenary/domain'
import { fileNameOf } from '../shared/variables/sources/variable-file.ts'

/** An image or a PDF that the library holds, and where its bytes are. */
interface StoredMedia {
  attachment: Attachment
  src: string
}

/** What a person fills in before a run. */
export interface RunForm {
  template: string
  /** Only what was typed; everything else is what the library holds. */
  typed: Readonly<Record<string, string>>
  userInput: string
  systemPrompt: string
}

/** A reference of the template and what stands for it. */
export interface VariableField {
  name: string
  /** null: not in the library. */
  type: VariableType | null
  stored: string | null
  value: string
  /** The value is not the stored one. */
  changed: boolean
  /** Why there is no stored value. */
  problem: string | null
  /** What the value may be; none: anything. */
  allowedValues: readonly string[]
  /** Stands in the field while there is no value. */
  placeholder: string
  /** Where 'Fetch API' fetches; null for what is not fetched so. */
  api: FetchedFrom | null
  /** A file in the Google Drive of this person, not of someone else. */
  isOwnDrive: boolean
  /** The owner of the stored value; null: this person, or there is none. */
  lender: Lender | null
  /** The stored image or PDF; null: it has none, or is neither. */
  media: StoredMedia | null
}

/** Who made the public variable that a name means. */
interface Lender {
  username: string
  isAdmin: boolean
}

export interface FetchedFrom {
  variableId: number
  apiUrl: string
}

/** What the library knows about a name. */
export interface StoredVariable {
  type: VariableType
  content: string | null
  problem: string | null
  /** What the value may be; none: anything. */
  allowedValues: readonly string[]
  placeholder: string
  api: FetchedFrom | null
  /** A file in the Google Drive of this person, not of someone else. */
  isOwnDrive: boolean
  /** null: it is the person's own. */
  lender: Lender | null
  media: StoredMedia | null
}

/** Whether something will stand for the name: what is not text is fetched by the run itself. */
export function hasValue({ type, value, problem }: VariableField): boolean {
  return value !== '' || (type !== null && !IS_HERE.includes(type) && problem === null)
}

const IS_HERE: readonly VariableType[] = ['text', 'image', 'document']

/** Names without a value, whose references stay as they are written. */
export function missingOf(fields: readonly VariableField[]): string[] {
  return fields.filter((field) => !hasValue(field)).map(({ name }) => name)
}

/** The form as it opens. */
export function formOfPrompt(prompt: Pick<Prompt, 'content'>): RunForm {
  return { template: prompt.content, typed: {}, userInput: '', systemPrompt: '' }
}

/** The form with the inputs of an earlier run; a run of the stored text takes the text of today. */
export function formOfRun({ run, prompt }: { run: PromptRun; prompt: Pick<Prompt, 'content'> }): RunForm {
  const { template, variableValues, userInput, systemPrompt } = run
  return { template: template ?? prompt.content, typed: variableValues, userInput, systemPrompt }
}

/** Names that a template refers to, each once; longer ones than a variable's can have no value. */
export function namesOf(template: string): string[] {
  return extractVariables(template).filter((name) => name.length <= VARIABLE_NAME_MAX)
}

/** A template's references with their values. */
export function fieldsOf({
  form: { template, typed },
  stored,
}: {
  form: RunForm
  stored: ReadonlyMap<string, StoredVariable>
}): VariableField[] {
  return namesOf(template).map((name) => {
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
    }
  })
}

/** What is sent: the template only if it was edited, values only where the library has not the same. */
export function requestOf({
  prompt,
  model,
  form,
  fields,
}: {
  prompt: Pick<Prompt, 'id' | 'content'>
  model: ModelAlias
  form: RunForm
  fields: readonly VariableField[]
}): ExecutePromptRequest {
  const { template, userInput, systemPrompt } = form
  const own = fields.filter(({ stored, value }) => (stored === null ? value !== '' : value !== stored))
  return {
    promptId: prompt.id,
    model,
    template: isEdited({ form, prompt }) ? template : undefined,
    ...(userInput.trim() === '' ? {} : { userInput }),
    ...(systemPrompt.trim() === '' ? {} : { systemPrompt }),
    ...(own.length === 0
      ? {}
      : { variableValues: Object.fromEntries(own.map(({ name, value }) => [name, value])) }),
  }
}

/** Whether the copy differs from the stored text; the editor's line breaks don't count. */
export function isEdited({ form, prompt }: { form: RunForm; prompt: Pick<Prompt, 'content'> }): boolean {
  return withPlainBreaks(form.template) !== withPlainBreaks(prompt.content)
}

/** The text that will be sent, as far as it is known here. */
export function previewOf({ form, fields }: { form: RunForm; fields: readonly VariableField[] }): string {
  const values = new Map(
    fields
      .filter(({ stored, value }) => stored !== null || value !== '')
      .map((field) => [field.name, sentText(field)]),
  )
  const { text } = renderTemplate({ source: form.template, variables: values })
  return [form.systemPrompt, text, form.userInput].filter((part) => part.trim() !== '').join('\n\n')
}

/** What stands in the text for the value: of an image or a PDF chosen for this run, its mark. */
export function sentText({ type, value }: Pick<VariableField, 'type' | 'value'>): string {
  const isChosen = (type === 'image' || type === 'document') && value.startsWith('uploads/')
  return isChosen ? `[${type}: ${fileNameOf(value)}]` : value
}

function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
