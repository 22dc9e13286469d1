import * as z from 'zod'
import { id, revision, timestamp } from './common.ts'
import { tag } from './tags.ts'

export const VARIABLE_NAME_MAX = 50
export const VARIABLE_CONTENT_MAX = 1_000_000
const VARIABLE_TYPES = ['text', 'file', 'api', 'googleDrive'] as const

const variableType = z.enum(VARIABLE_TYPES, 'Variable type must be text, file, api, or googleDrive')
export type VariableType = z.infer<typeof variableType>

export const variable = z.object({
  id,
  name: z.string(),
  type: variableType,
  content: z.string().describe('The text, or the key of an uploaded file.'),
  apiUrl: z.string(),
  apiHeaders: z.record(z.string(), z.string()).describe('Values only for the owner and admins (D24).'),
  googleDriveFileId: z.string(),
  googleDriveFileName: z.string(),
  googleDriveMimeType: z.string(),
  tags: z.array(tag),
  isPublic: z.boolean(),
  owner: z.string().describe("The owner's username."),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
  canEdit: z.boolean(),
  canDelete: z.boolean(),
})
export type Variable = z.infer<typeof variable>

/** The form sends the fields of the other types empty: '', null, or not at all. */
const emptyable = (text: z.ZodString) =>
  text
    .nullable()
    .transform((value) => value ?? '')
    .optional()

const headerMap = z.record(z.string().min(1).max(200), z.string().max(8000))

/** A map, JSON text of one, or empty; what is not valid JSON counts as empty. */
const apiHeaders = z
  .union([headerMap, z.string().max(100_000).transform(parseHeaders), z.null().transform(() => ({}))])
  .optional()

function parseHeaders(json: string): Record<string, string> {
  try {
    return headerMap.safeParse(JSON.parse(json)).data ?? {}
  } catch {
    return {}
  }
}

/** POST /api/variables and PATCH /api/variables/{id}; on PATCH an absent field stays as it is. */
export const saveVariableRequest = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, 'Name is required')
      .max(VARIABLE_NAME_MAX, `Name must be less than ${VARIABLE_NAME_MAX} characters`)
      .regex(/^[A-Za-z0-9_]*$/, 'Name may contain letters, digits and underscores only, no spaces'),
    type: variableType,
    content: emptyable(z.string().max(VARIABLE_CONTENT_MAX)),
    apiUrl: emptyable(z.string().trim().max(2000)),
    apiHeaders,
    googleDriveFileId: emptyable(z.string().trim().max(200)),
    googleDriveFileName: emptyable(z.string().max(500)),
    googleDriveMimeType: emptyable(z.string().max(200)),
    isPublic: z.boolean().optional().describe('Default false.'),
    tagIds: z.array(id).max(50).optional().describe('Default none.'),
    revision: revision
      .optional()
      .describe('PATCH: the revision that was edited; a stale one is refused with 409 (D16).'),
  })
  .superRefine((variable, context) => {
    if (variable.type === 'api' && !isHttpUrl(variable.apiUrl)) {
      context.addIssue({
        code: 'custom',
        path: ['apiUrl'],
        message: "Must be a valid URL when type is 'api'",
      })
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

function isHttpUrl(text: string | undefined): boolean {
  return z.url({ protocol: /^https?$/ }).safeParse(text).success
}

/** Digits are an id first, else a name (D23). */
export const variableContentParams = z.strictObject({ idOrName: z.string().min(1).max(200) })

/** GET /api/variables/{idOrName}/content; `error` says why there is none. */
export const variableContent = z.object({ content: z.string().optional(), error: z.string().optional() })
export type VariableContent = z.infer<typeof variableContent>

/** GET /api/variables/{id}/preview */
export const variablePreview = z.object({ preview: z.string() })
