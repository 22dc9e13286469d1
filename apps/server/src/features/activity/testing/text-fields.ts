import * as z from 'zod'

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
}

interface TextField {
  /** Its own name, without what it is within. */
  field: string
  texts: string[]
}

/** Each field of a body that takes any text, and what was sent in it. */
export const textFieldsOf = (body: z.ZodType, sent: unknown): TextField[] =>
  fieldsOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as unknown as Schema, {
    field: '',
    values: [sent],
  })

function fieldsOf(schema: Schema, { field, values }: { field: string; values: unknown[] }): TextField[] {
  const { anyOf = [], oneOf = [], allOf = [], properties = {}, items, additionalProperties } = schema
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  const members = [items, additionalProperties].filter((part) => typeof part === 'object')
  return [
    ...(isText ? [{ field, texts: values.filter((value) => typeof value === 'string') }] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((part) => fieldsOf(part, { field, values })),
    ...Object.entries(properties).flatMap(([name, part]) =>
      fieldsOf(part, {
        field: name,
        values: objects.map((value) => (value as Record<string, unknown>)[name]),
      }),
    ),
    ...members.flatMap((part) => fieldsOf(part, { field, values: objects.flatMap(Object.values) })),
  ]
}

/** Names, which rows leave out as well, of what is made or meant. */
export const NAMES: ReadonlySet<string> = new Set([
  ...['alias', 'as', 'fileName', 'group', 'groups', 'label', 'labels', 'leaders', 'list', 'members', 'name'],
  ...['names', 'outputVariableName', 'ref', 'slug', 'suite', 'title', 'username', 'usernames', 'variable'],
  ...['email', 'emailRecipients', 'googleDriveFileName', 'question', 'to'],
])

/** What is chosen, not written: settings, ids, times, bytes. */
export const CHOSEN: ReadonlySet<string> = new Set([
  ...['chainLabel', 'defaultModel', 'fallbackModel', 'judgeModel', 'model', 'modelId', 'moreFallbackModels'],
  ...['promptLabel', 'baseUrl', 'cron', 'expiresAt', 'fills', 'scheduledTime', 'scopes', 'timeZone'],
  ...['decision', 'destination', 'id', 'onDeadline', 'origin', 'people', 'sends'],
  ...['base', 'data', 'googleDriveFileId', 'googleDriveMimeType', 'path'],
])
