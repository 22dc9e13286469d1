import {
  INVALID_HEADERS,
  kindOfMedia,
  type SaveVariableRequest,
  saveVariableRequest,
  storedFile,
  tag,
  VARIABLE_CONTENT_MAX,
  type Variable,
  type VariableType,
} from '@catenary/contracts'
import type { ReactNode, Ref } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import * as z from 'zod'
import type { Difference } from '../../components/forms/conflict-panel.tsx'
import { type ConflictRows, differencesBetween, namesOf } from '../../components/forms/conflict-rows.ts'
import { FormSwitch } from '../../components/forms/form-switch.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { fileNameOf } from '../files/attachments.ts'
import { FormTags, type TagInputHandle } from '../library/tags/tag-input.tsx'
import { linesOf } from './allowed-lines.ts'
import {
  headerProblem,
  headersJson,
  headersOf,
  rowsOf,
  withoutValues,
  withStoredValues,
} from './sources/variable-headers.ts'
import { VariableTypeIcon } from './variable-kind.tsx'

const CONTENT_TOO_LONG = `Content must be at most ${VARIABLE_CONTENT_MAX.toLocaleString('en')} characters`

/** While it is being filled in nothing is required; what each type needs is kept beside the others. */
export const variableInput = z.object({
  name: z.string().default(''),
  type: saveVariableRequest.shape.type.default('text'),
  content: z.string().default(''),
  /** One a line; none: any text. */
  allowedValues: z.string().default(''),
  filePath: z.string().default(''),
  media: storedFile.nullable().default(null),
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

export const variableForm = variableInput.superRefine((form, context) => {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const request = saveVariableRequest.safeParse({ ...requestOf(form), apiHeaders: {} })
  for (const { code, path, message } of request.error?.issues ?? []) {
    const isLong = path[0] === 'content' && code === 'too_big'
    const field = path[0] === 'allowedValues' ? path.slice(0, 1) : path
    refuse(field.map(String), isLong ? CONTENT_TOO_LONG : message)
  }
  if (form.type !== 'api') return
  if (form.headersJson !== null) return refuse(['headersJson'], INVALID_HEADERS)
  for (const index of form.headers.keys()) {
    const problem = headerProblem({ rows: form.headers, index, kept: form.keptHeaders })
    if (problem !== undefined) refuse(['headers', index, problem.field], problem.message)
  }
})

export function formOf({
  variable,
  name = '',
}: {
  variable: Variable | null
  name?: string | undefined
}): VariableForm {
  if (!variable) return variableInput.parse({ name })
  const { content, allowedValues, apiHeaders, attachment, ...fields } = variable
  return variableInput.parse({
    ...fields,
    media: attachment && { ...attachment, filePath: content },
    ...(variable.type === 'file' ? { filePath: content } : { content }),
    allowedValues: allowedValues.join('\n'),
    headers: rowsOf(apiHeaders),
    keptHeaders: Object.keys(apiHeaders).filter((name) => apiHeaders[name] === ''),
  })
}

/** What may be kept on this device: everything but the values of headers. */
export function draftOf(values: VariableForm): VariableForm {
  return { ...values, headers: withoutValues(values.headers), headersJson: null }
}

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

/** With every field, so that one that the form lacks is missed. */
type VariableRequest = Required<Omit<SaveVariableRequest, 'revision' | 'renameReferences'>>

/** What is sent: the fields of the type, those of the other types empty. */
export function requestOf(form: VariableForm): VariableRequest {
  const { filePath, media, headers, headersJson: _, keptHeaders: __, tags, ...fields } = form
  const { type } = form
  const key = media && kindOfMedia(media.mediaType) === type ? media.filePath : ''
  const isApi = type === 'api'
  const isDrive = type === 'googleDrive'
  return {
    ...fields,
    name: form.name.trim(),
    content: { text: form.content, file: filePath, api: '', googleDrive: '', image: key, document: key }[
      type
    ],
    allowedValues: type === 'text' ? linesOf(form.allowedValues) : [],
    apiUrl: isApi ? form.apiUrl.trim() : '',
    apiHeaders: isApi ? headersOf(headers) : {},
    googleDriveFileId: isDrive ? form.googleDriveFileId : '',
    googleDriveFileName: isDrive ? form.googleDriveFileName : '',
    googleDriveMimeType: isDrive ? form.googleDriveMimeType : '',
    cacheSeconds: isApi || isDrive ? form.cacheSeconds : 0,
    tagIds: tags.map(({ id }) => id),
  }
}

/** How a conflict names and shows each field; values of headers are not shown. */
const rows: ConflictRows<Omit<VariableForm, NotShown>> = {
  name: 'Name',
  type: 'Type',
  content: { label: 'Content', show: ({ type, content }) => (type === 'text' ? content : '') },
  allowedValues: {
    label: 'Allowed values',
    show: ({ type, allowedValues }) => (type === 'text' ? allowedValues : ''),
  },
  filePath: { label: 'File', show: ({ type, filePath }) => (type === 'file' ? fileNameOf(filePath) : '') },
  media: {
    label: 'Image or PDF',
    show: ({ type, media }) => (media && kindOfMedia(media.mediaType) === type ? media.fileName : ''),
  },
  apiUrl: { label: 'API URL', show: ({ type, apiUrl }) => (type === 'api' ? apiUrl : '') },
  headers: {
    label: 'API Headers',
    show: ({ type, headers }) => (type === 'api' ? headersJson({ rows: headers, masked: true }) : ''),
  },
  cacheSeconds: { label: 'Cache time', show: ({ cacheSeconds }) => `${cacheSeconds} s` },
  googleDriveFileName: {
    label: 'Google Drive file',
    show: ({ type, googleDriveFileName }) => (type === 'googleDrive' ? googleDriveFileName : ''),
  },
  tags: { label: 'Tags', show: ({ tags }) => namesOf(tags) },
  isPublic: { label: 'Visibility', show: ({ isPublic }) => (isPublic ? 'Public' : 'Private') },
}
type NotShown = 'headersJson' | 'keptHeaders' | 'googleDriveFileId' | 'googleDriveMimeType'

export function differencesOf({ mine, theirs }: { mine: VariableForm; theirs: Variable }): Difference[] {
  return differencesBetween({ rows, mine, theirs: formOf({ variable: theirs }) })
}

/** Whether two addresses lead to different origins; while one of them is no address, they don't. */
export function changesOrigin({ from, to }: { from: string; to: string }): boolean {
  const [before, after] = [from, to].map((address) => URL.parse(address.trim())?.origin)
  return before !== undefined && after !== undefined && before !== after
}

const TYPES: { type: VariableType; label: string; short?: string }[] = [
  { type: 'text', label: 'Text' },
  { type: 'file', label: 'File' },
  { type: 'api', label: 'API' },
  { type: 'googleDrive', label: 'Google Drive', short: 'Drive' },
  { type: 'image', label: 'Image' },
  { type: 'document', label: 'PDF' },
]

export interface VariableFieldsProps {
  form: UseFormReturn<VariableForm>
  renameNotice: ReactNode
  tagInput: Ref<TagInputHandle>
  children: ReactNode
}

export function VariableFields({ form, renameNotice, tagInput, children }: VariableFieldsProps) {
  const { control, register, formState } = form
  const { errors } = formState
  return (
    <>
      <Field
        label="Name"
        hint="Letters, digits and underscores, no spaces. Used in prompts as $<name>."
        error={errors.name?.message}
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="brand_voice"
          className="font-mono"
          {...register('name')}
        />
      </Field>
      {renameNotice}
      <Controller
        control={control}
        name="type"
        render={({ field: { value, onChange } }) => (
          <div className="grid gap-1.5">
            <p aria-hidden="true" className="text-xs font-medium text-text-2">
              Type
            </p>
            <SegmentedControl aria-label="Type" value={value} onValueChange={onChange} className="flex">
              {TYPES.map(({ type, label, short = label }) => (
                <SegmentedControlItem
                  key={type}
                  value={type}
                  aria-label={label}
                  className="px-1.5 max-sm:px-0.5 max-sm:text-xs"
                >
                  <VariableTypeIcon type={type} className="max-sm:hidden" />
                  <span className="max-sm:hidden">{label}</span>
                  <span className="sm:hidden">{short}</span>
                </SegmentedControlItem>
              ))}
            </SegmentedControl>
          </div>
        )}
      />
      {children}
      <FormTags control={control} name="tags" kind="variable" error={errors.tags?.message} ref={tagInput} />
      <FormSwitch control={control} name="isPublic" label="Make Variable Public" />
    </>
  )
}
