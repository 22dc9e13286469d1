import type { LogEntry } from '../../lib/diagnostics.ts'

/** Hands the log out as a JSON file. */
export function downloadLog(entries: readonly LogEntry[]): void {
  const at = new Date().toISOString()
  const { userAgent, language } = navigator
  const log = { at, userAgent, language, entries }
  const url = URL.createObjectURL(new Blob([JSON.stringify(log, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `catenary-log-${at.slice(0, 19).replaceAll(':', '-')}.json`
  link.click()
  URL.revokeObjectURL(url)
}
