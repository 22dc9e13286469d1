import type { SystemCheckResult } from '@catenary/contracts'

const PROBE = 'catenary.probe'
const MIB = 1024 * 1024

export async function checkBrowserStorage(): Promise<SystemCheckResult> {
  const startedAt = performance.now()
  const failed = Object.entries({
    'local storage': () => window.localStorage,
    'session storage': () => window.sessionStorage,
  }).flatMap(([name, storage]) => (keeps(storage) ? [] : [name]))
  const ms = Math.round(performance.now() - startedAt)
  const name = 'browser-storage'
  if (failed.length > 0) {
    return { name, status: 'failed', message: `The browser blocks ${failed.join(' and ')}`, ms }
  }
  return {
    name,
    status: 'ok',
    message: `Local and session storage work${await usage()}`,
    ms,
  }
}

function keeps(storage: () => Storage): boolean {
  try {
    const value = String(Math.random())
    storage().setItem(PROBE, value)
    const kept = storage().getItem(PROBE) === value
    storage().removeItem(PROBE)
    return kept
  } catch {
    return false
  }
}

/** Known on secure origins only. */
async function usage(): Promise<string> {
  const estimate = await navigator.storage?.estimate().catch(() => undefined)
  if (estimate?.usage === undefined || estimate.quota === undefined) return ''
  return `; ${(estimate.usage / MIB).toFixed(1)} of ${Math.round(estimate.quota / MIB)} MiB used`
}
