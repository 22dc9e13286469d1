import { AppError } from '../../errors.ts'

/** The database's own code of a statement that was ended. */
const STATEMENT_ENDED = '57014'
const RETRY_AFTER_S = 10

/** What to say of a statement that took longer than statements may; undefined for any other error. */
export function toOverTime(error: unknown): AppError | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ('code' in link && link.code === STATEMENT_ENDED) {
      const message = 'The database took too long for this. Ask for less, or try again later.'
      return new AppError('unavailable', message, { retryAfter: RETRY_AFTER_S })
    }
  }
  return undefined
}
