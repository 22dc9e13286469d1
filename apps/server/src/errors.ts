/** What went wrong, in the program's own words; each edge maps it to its status. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_type'
  | 'key_reused'
  | 'too_many'
  | 'upstream'
  | 'unavailable'

/** An expected failure with one sentence for the person. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  /** Seconds to wait, for `too_many` and `unavailable`. */
  readonly retryAfter: number | undefined
  /** Tells a program which refusal of its kind it is. */
  readonly reason: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: unknown; retryAfter?: number; reason?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfter = options.retryAfter
    this.reason = options.reason
  }
}

/** Whether nothing is there, or nothing that the caller may know of. */
export const isNotFound = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'not_found'

/** Undefined for what is not there: `.catch(ifNotFound)`. */
export function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

/** A failure that a form shows at its field. */
export function fieldError(path: string, message: string, code: ErrorCode = 'invalid'): AppError {
  return new AppError(code, message, { details: [{ path, message }] })
}

/** Stops the start; its message is one line that tells the person what to do. */
export class StartError extends Error {
  override name = 'StartError'

  /** Only a person cures it: a start that is tried again fails alike. */
  get isSetting(): boolean {
    return false
  }
}

/** A setting that is wrong, or a database that is not for this program. */
export class SettingError extends StartError {
  override name = 'SettingError'

  override get isSetting(): boolean {
    return true
  }
}
