export interface FakeCall {
  method: string
  path: string
  query: Record<string, string>
  form: Record<string, string>
  authorization: string | undefined
}

export interface FakeFile {
  id: string
  name: string
  mimeType: string
  /** What it exports to, or its bytes. */
  content?: string | Buffer
  modifiedTime?: string
  trashed?: boolean
}

export interface FakeReply {
  status: number
  /** Text and bytes go out as they are, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

/** An error in the envelope of Google's APIs. */
export function driveError({
  status,
  reason,
  message,
  location,
}: {
  status: number
  reason: string
  message: string
  location?: string
}): FakeReply {
  const where = location === undefined ? {} : { locationType: 'parameter', location }
  const error = {
    code: status,
    message,
    errors: [{ message, domain: 'global', reason, ...where }],
    status: STATUS_NAMES[status] ?? 'UNKNOWN',
  }
  return { status, body: { error } }
}
