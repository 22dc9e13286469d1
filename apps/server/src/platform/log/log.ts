import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Structured log, one JSON line an event; credentials never reach it. */
export function createLog({ level, destination }: { level: string; destination?: DestinationStream }): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
    redact: ['*.authorization', '*.cookie', '*.password', '*.apiKey', '*.secretKey'],
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

interface LoggedError {
  type: string
  message: string
  code?: unknown
  stack?: string
  cause?: LoggedError
}

/** A failed query's message quotes its parameters, which may be passwords, tokens and people's prompts: they stay out. */
function toLoggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '' }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: 'params' in error && 'query' in error ? `Failed query: ${error.query}` : error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...(frames === undefined ? {} : { stack: frames.join('\n') }),
    ...(error.cause === undefined ? {} : { cause: toLoggedError(error.cause) }),
  }
}
