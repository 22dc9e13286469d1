import * as z from 'zod'
import { id, revision, rights, timestamp } from '../common.ts'
import { attachment } from '../files.ts'
import { clippedContent, type Whole } from '../lists.ts'
import { tag } from '../tags.ts'
import { ALLOWED_VALUE_REFUSED, allowedValues, allowsValue } from './allowed-values.ts'

export const VARIABLE_NAME_MAX = 50
export const VARIABLE_CONTENT_MAX = 1_000_000
const CACHE_SECONDS_MAX = 86_400
const HEADERS_MAX = 50
const VARIABLE_TYPES = ['text', 'file', 'api', 'googleDrive', 'image', 'document'] as const

const variableType = z
  .enum(VARIABLE_TYPES, 'Variable type must be text, file, api, or googleDrive')
  .describe('Source of its value.')
export type VariableType = z.infer<typeof variableType>

export const variable = z.object({
  id,
  name: z.string().describe('Name used in $<name>; unique per owner, ignoring case.'),
  type: variableType,
  content: z.string().describe('The text, or the key of an uploaded file.'),
  attachment: attachment
    .nullable()
    .describe('For types image and document: its file; null: none, so a call may supply one.'),
  allowedValues: z
    .array(z.string())
    .describe('For type text: the allowed values, in this order; empty: any.'),
  apiUrl: z
    .string()
    .describe(
      'Only for type api. People who may not change the variable see it without its query, which may contain a key.',
    ),
  apiHeaders: z
    .record(z.string(), z.string())
    .describe('Values are shown to the owner and admins only (D24).'),
  googleDriveFileId: z.string().describe('Only for type googleDrive.'),
  googleDriveFileName: z.string().describe('Name at the time it was chosen.'),
  googleDriveMimeType: z.string().describe('Type at the time it was chosen.'),
  cacheSeconds: z.int().describe('Seconds for which a fetched value may be reused; 0: never.'),
  tags: z.array(tag).describe('Sorted by name.'),
  isPublic: z.boolean().describe('Everyone sees it and can use its value in runs.'),
  owner: z.string().describe("The owner's username."),
  ownerIsAdmin: z
    .boolean()
    .describe(
      'The owner is an admin, whose public variables take precedence over others of the same name (D52).',
    ),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
  canEdit: rights.canEdit,
  canDelete: rights.canDelete,
})
export type Variable = Whole<z.infer<typeof variable>>

export const listedVariable = variable.extend({
  ...clippedContent,
  apiHeadersClipped: z
    .literal(true)
    .optional()
    .describe(
      'The headers are too long for a list, so their values are empty here; get the variable by id to see them.',
    ),
})
export type ListedVariable = z.infer<typeof listedVariable>

/** The form sends the fields of other types empty: '', null, or not at all. */
const emptyable = (text: z.ZodString) =>
  text
    .nullable()
    .transform((value) => value ?? '')
    .optional()

const headerName = z
  .string()
  .max(200)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Use only letters, digits and hyphens in a header name')
const headerValue = z
  .string()
  .max(8000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header value has no line breaks and no characters beyond Latin-1')
const headerMap = z
  .record(headerName, headerValue)
  .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, `At most ${HEADERS_MAX} headers`)
  .refine(
    (headers) =>
      new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
    'Two headers have the same name',
  )

export const INVALID_HEADERS = 'API Headers must be valid JSON. Please correct and try again.'

/** A map, JSON text of one, or empty. */
export const apiHeaders = z
  .union(
    [
      headerMap,
      z.string().max(100_000).transform(parseHeaders).pipe(headerMap),
      z.null().transform(() => ({})),
    ],
    INVALID_HEADERS,
  )
  .optional()

function parseHeaders(json: string, context: z.RefinementCtx): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    context.addIssue(INVALID_HEADERS)
    return z.NEVER
  }
}

export const saveVariableRequest = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, 'Name is required')
      .max(VARIABLE_NAME_MAX, `Name must be less than ${VARIABLE_NAME_MAX} characters`)
      .regex(/^[A-Za-z0-9_]*$/, 'Name may contain letters, digits and underscores only, no spaces')
      .describe('Trimmed; unique per owner, ignoring case.'),
    type: variableType,
    content: emptyable(z.string().max(VARIABLE_CONTENT_MAX)).describe(
      'The text, or the filePath of an upload.',
    ),
    allowedValues: allowedValues
      .optional()
      .describe(
        'For type text: its content, and a value entered for a run, must be one of them. Default: none.',
      ),
    apiUrl: emptyable(z.string().trim().max(2000)).describe(
      'For type api: http or https, without credentials.',
    ),
    apiHeaders: apiHeaders.describe(
      'An empty value keeps the stored one of that name. An apiUrl of another origin removes all stored values (D24).',
    ),
    googleDriveFileId: emptyable(z.string().trim().max(200)).describe(
      'For type googleDrive, from the picker.',
    ),
    googleDriveFileName: emptyable(z.string().max(500)).describe('For type googleDrive, from the picker.'),
    googleDriveMimeType: emptyable(z.string().max(200)).describe('For type googleDrive, from the picker.'),
    cacheSeconds: z
      .int()
      .min(0)
      .max(CACHE_SECONDS_MAX)
      .optional()
      .describe('For types api and googleDrive. Default: 0.'),
    isPublic: z.boolean().optional().describe('Default: false.'),
    tagIds: z.array(id).max(50).optional().describe('Default: none.'),
    revision: revision
      .optional()
      .describe('PATCH: revision that was edited; a stale one is refused with 409 (D16).'),
    renameReferences: z
      .boolean()
      .optional()
      .describe('PATCH: true also renames the references in the caller’s own prompts and chains.'),
  })
  .superRefine((variable, context) => {
    if (variable.type === 'api') requireAddress(variable, context)
    const { type, content, allowedValues: allowed } = variable
    if (type === 'text' && content !== undefined && allowed && !allowsValue(allowed, content)) {
      context.addIssue({ code: 'custom', path: ['content'], message: ALLOWED_VALUE_REFUSED })
    }
    if (variable.type === 'googleDrive' && !variable.googleDriveFileId) {
      context.addIssue({
        code: 'custom',
        path: ['googleDriveFileId'],
        message: "Google Drive File ID is required when type is 'googleDrive'",
      })
    }
  })
export type SaveVariableRequest = z.infer<typeof saveVariableRequest>

export function requireAddress({ apiUrl }: { apiUrl?: string | undefined }, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['apiUrl'], message })
  if (!isHttpUrl(apiUrl)) refuse("Must be a valid URL when type is 'api'")
  else if (hasCredentials(apiUrl))
    refuse('Put the password in a header; everyone who sees the variable sees its address')
}

function hasCredentials(text: string | undefined): boolean {
  const { username, password } = new URL(text ?? '')
  return username !== '' || password !== ''
}

function isHttpUrl(text: string | undefined): boolean {
  return z.url({ protocol: /^https?$/ }).safeParse(text).success
}

/** `error` says why there is no content, also where the request itself was wrong. */
export const variableContent = z.object({
  content: z.string().optional().describe('Text that replaces the reference in a run.'),
  error: z.string().optional().describe('Why there is no content.'),
})
export type VariableContent = z.infer<typeof variableContent>

export const variablePreview = z.object({
  preview: z.string().describe('The value, or a line saying why there is none.'),
  error: z.string().optional().describe('Why there is no value; also in the preview.'),
})
export type VariablePreview = z.infer<typeof variablePreview>

export const variableUsageCount = z.object({
  id,
  prompts: z.int().describe('The caller’s prompts whose reference means this variable (D22).'),
  chains: z.int().describe('Chains of the caller, or shared with them, with a step that refers to it.'),
})
export type VariableUsageCount = z.infer<typeof variableUsageCount>

export const variableUsage = z.object({
  prompts: z
    .array(
      z.object({
        id,
        title: z.string().describe('Title of the prompt.'),
        canEdit: rights.canEdit,
      }),
    )
    .describe('The first 1,000 that the caller can see.'),
  chains: z
    .array(
      z.object({
        id,
        name: z.string().describe('Name of the chain.'),
        canEdit: rights.canEdit,
        steps: z.int().describe('How many of its steps refer to the variable.'),
      }),
    )
    .describe('The first 1,000 that the caller can see.'),
})
export type VariableUsage = z.infer<typeof variableUsage>

const valueOrigin = z.object({
  type: z
    .enum([...VARIABLE_TYPES, 'typed', 'none'])
    .describe(
      'Type of the variable; typed: the person entered the value for this run; none: they can’t see a variable of this name.',
    ),
  variableId: id.nullable(),
  revision: revision.nullable().describe('Revision of the variable when its value was read.'),
  source: z
    .string()
    .nullable()
    .describe('Address (without its query), file key or Drive file name; null for text.'),
  at: timestamp,
  cachedAt: timestamp.nullable().describe('When a reused value was fetched; null: fetched for this run.'),
  isPrivate: z
    .boolean()
    .optional()
    .describe(
      'Only the person who ran it could see the variable then, so only they can see the run’s texts (D59). Absent in older runs.',
    ),
  error: z.string().nullable().describe('Why there is no value; the reference was left unchanged (D44).'),
})
export type ValueOrigin = z.infer<typeof valueOrigin>

export const valueOrigins = z.record(z.string(), valueOrigin)
