import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured log, one JSON line an event; credentials never reach it. */
export function createLog({ level }: { level: string }): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['*.authorization', '*.cookie', '*.password', '*.apiKey', '*.secretKey'],
  })
}
