import { onTestFailed } from 'vitest'
import type { RunningServer } from './server.ts'

/** Prints what the program logged if the test that calls this fails. */
export function showLogsOnFailure(server: RunningServer): void {
  onTestFailed(() => console.error(`--- log of ${server.url} ---\n${server.logs()}`))
}
