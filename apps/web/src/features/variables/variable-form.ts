import {
  type SaveVariableRequest,
  saveVariableRequest,
  type Tag,
  tag,
  VARIABLE_CONTENT_MAX,
  type Variable,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Difference } from '../../components/conflict-panel.tsx'
import { fileNameOf } from './variable-file.ts'
import {
  headerProblem,
  headersJson,
  headersOf,
  rowsOf,
  withoutValues,
  withStoredValues,
} from './variable-headers.ts'

const CONTENT_TOO_LONG = `Content must be at most ${VARIABLE_CONTENT_MAX.toLocaleString('en')} characters`
export const INVALID_HEADERS = 'API Headers must be valid JSON. Please correct and try again.'

/** While it is being filled in nothing is required; what each type needs is kept beside the others. */
const variableInput = z.object({
  name: z.string().default(''),
  type: saveVariableRequest.shape.type.default('text'),
  content: z.string().default(''),
  filePath: z.string().default(''),
  apiUrl: z.string().default(''),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  /** JSON that was written in the headers' place and is not valid; null: the headers are as they should be. */
  headersJson: z.string().nullable().default(null),
  /** Names of headers whose values are stored but not shown. */
  keptHeaders: z.array(z.string()).default([]),
  cacheSeconds: z.int().default(0),
  googleDriveFileId: z.string().default(''),
  googleDriveFileName: z.string().default(''),
  googleDriveMimeType: z.string().default(''),
  isPublic: z.boolean().default(false),
  tags: z.array(tag).default([]),
})
export type VariableForm = z.output<typeof variableInput>

/** What may be saved: the request's own rules, told at the fields that they concern. */
export const variableForm = variableInput.superRefine((form, context) => {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const request = saveVariableRequest.safeParse({ ...requestOf(form), apiHeaders: {} })
  for (const { code, path, message } of request.error?.issues ?? []) {
    const isLong = path[0] === 'content' && code === 'too_big'
    refuse(path.map(String), isLong ? CONTENT_TOO_LONG : message)
  }
  if (form.type !== 'api') return
  if (form.headersJson !== null) return refuse(['headersJson'], INVALID_HEADERS)
  for (const index of form.headers.keys()) {
    const problem = headerProblem({ rows: form.headers, index, kept: form.keptHeaders })
    if (problem !== undefined) refuse(['headers', index, problem.field], problem.message)
  }
})

/** A draft remembers which revision it began with. */
export const variableDraft = z.object({ revision: z.int().nullable(), values: variableInput })

/** What the form shows at first: a stored variable, or a new one. */
export function formOf({
  variable,
  name = '',
}: {
  variable: Variable | null
  name?: string | undefined
}): VariableForm {
  if (!variable) return variableInput.parse({ name })
  const { content, apiHeaders, ...fields } = variable
  return variableInput.parse({
    ...fields,
    ...(variable.type === 'file' ? { filePath: content } : { content }),
    headers: rowsOf(apiHeaders),
    keptHeaders: Object.keys(apiHeaders).filter((name) => apiHeaders[name] === ''),
  })
}

/** What may be kept on this device: everything but the values of headers. */
export function draftOf(values: VariableForm): VariableForm {
  return { ...values, headers: withoutValues(values.headers), headersJson: null }
}

/** A draft in the form again, its headers with the values that are stored. */
export function restoreDraft({
  values,
  variable,
}: {
  values: VariableForm
  variable: Variable | null
}): VariableForm {
  const headers = withStoredValues({ rows: values.headers, stored: variable?.apiHeaders ?? {} })
  return { ...values, headers }
}

/** What is sent: the fields of the type, those of the other types empty. */
export function requestOf(form: VariableForm): SaveVariableRequest {
  const { name, type, isPublic, tags } = form
  const isApi = type === 'api'
  const isDrive = type === 'googleDrive'
  return {
    name: name.trim(),
    type,
    content: { text: form.content, file: form.filePath, api: '', googleDrive: '' }[type],
    apiUrl: isApi ? form.apiUrl.trim() : '',
    apiHeaders: isApi ? headersOf(form.headers) : {},
    googleDriveFileId: isDrive ? form.googleDriveFileId : '',
    googleDriveFileName: isDrive ? form.googleDriveFileName : '',
    googleDriveMimeType: isDrive ? form.googleDriveMimeType : '',
    cacheSeconds: isApi || isDrive ? form.cacheSeconds : 0,
    isPublic,
    tagIds: tags.map(({ id }) => id),
  }
}

/** How a conflict names and shows each field; values of headers are not shown. */
const ROWS: { label: string; show: (form: VariableForm) => string }[] = [
  { label: 'Name', show: ({ name }) => name },
  { label: 'Type', show: ({ type }) => type },
  { label: 'Content', show: ({ type, content }) => (type === 'text' ? content : '') },
  { label: 'File', show: ({ type, filePath }) => (type === 'file' ? fileNameOf(filePath) : '') },
  { label: 'API URL', show: ({ type, apiUrl }) => (type === 'api' ? apiUrl : '') },
  {
    label: 'API Headers',
    show: ({ type, headers }) => (type === 'api' ? headersJson({ rows: headers, masked: true }) : ''),
  },
  { label: 'Cache time', show: ({ cacheSeconds }) => `${cacheSeconds} s` },
  {
    label: 'Google Drive file',
    show: ({ type, googleDriveFileName }) => (type === 'googleDrive' ? googleDriveFileName : ''),
  },
  { label: 'Tags', show: ({ tags }) => namesOf(tags) },
  { label: 'Visibility', show: ({ isPublic }) => (isPublic ? 'Public' : 'Private') },
]

/** What the person's form and the stored variable do not share. */
export function differencesOf({ mine, theirs }: { mine: VariableForm; theirs: Variable }): Difference[] {
  const stored = formOf({ variable: theirs })
  const rows = ROWS.map(({ label, show }) => ({ label, mine: show(mine), theirs: show(stored) }))
  return rows.filter((row) => row.mine !== row.theirs)
}

function namesOf(tags: readonly Tag[]): string {
  return tags
    .map(({ name }) => name)
    .sort()
    .join(', ')
}

/** Whether two addresses lead to different origins; while one of them is no address, they don't. */
export function changesOrigin({ from, to }: { from: string; to: string }): boolean {
  const [before, after] = [from, to].map((address) => URL.parse(address.trim())?.origin)
  return before !== undefined && after !== undefined && before !== after
}
