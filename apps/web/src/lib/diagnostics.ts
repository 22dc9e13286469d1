export const LOG_CAPACITY = 1000
/** Longer data is cut, so that a full log fits the browser's storage. */
const DATA_MAX = 2000
const STORAGE_KEY = 'catenary.log'
const SAVE_AFTER_MS = 500
const ENTITY_ATTRIBUTE = /^data-(prompt|variable|category|tag)-/

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  at: string
  level: LogLevel
  event: string
  data?: unknown
}

let unsaved: LogEntry[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let snapshot: readonly LogEntry[] | undefined
const listeners = new Set<() => void>()

export function logEvent(event: string, data?: unknown, level: LogLevel = 'info'): void {
  unsaved.push({
    at: new Date().toISOString(),
    level,
    event,
    ...(data === undefined ? {} : { data: cut(data) }),
  })
  unsaved = unsaved.slice(-LOG_CAPACITY)
  timer ??= setTimeout(save, SAVE_AFTER_MS)
  publish()
}

export const logStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  getSnapshot(): readonly LogEntry[] {
    snapshot ??= readLog()
    return snapshot
  },
}

export function clearLog(): void {
  unsaved = []
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {}
  publish()
}

/** Logs uncaught errors, and clicks on prompts, variables, categories and tags; for support, as `catenaryLog()`. */
export function installDiagnostics(): void {
  logEvent('start', { path: window.location.pathname }, 'debug')
  document.addEventListener('click', logClick, { capture: true })
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    logEvent('content-security-policy', { violatedDirective, blockedURI, sourceFile }, 'error'),
  )
  window.addEventListener('error', ({ message, filename, lineno }) =>
    logEvent('uncaught', { message, filename, lineno }, 'error'),
  )
  window.addEventListener('unhandledrejection', ({ reason }) =>
    logEvent('uncaught', { error: String(reason) }, 'error'),
  )
  window.addEventListener('storage', ({ key }) => (key === STORAGE_KEY || key === null) && publish())
  window.addEventListener('pagehide', save)
  Object.assign(globalThis, { catenaryLog: readLog })
}

function logClick(event: MouseEvent): void {
  for (const target of event.composedPath()) {
    if (!(target instanceof Element)) continue
    const names = target.getAttributeNames().filter((name) => ENTITY_ATTRIBUTE.test(name))
    if (names.length === 0) continue
    logEvent('click', Object.fromEntries(names.map((name) => [name, target.getAttribute(name)])), 'debug')
    return
  }
}

function readLog(): LogEntry[] {
  return [...readStored(), ...unsaved].slice(-LOG_CAPACITY)
}

function readStored(): LogEntry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is LogEntry {
  return typeof value === 'object' && value !== null && 'at' in value && 'level' in value && 'event' in value
}

/** Where storage is refused or full, the entries stay with this page. */
function save(): void {
  clearTimeout(timer)
  timer = undefined
  if (unsaved.length === 0) return
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(readLog()))
    unsaved = []
  } catch {}
}

function publish(): void {
  snapshot = undefined
  for (const listener of listeners) listener()
}

function cut(data: unknown): unknown {
  try {
    const text = JSON.stringify(data)
    return text.length > DATA_MAX ? `${text.slice(0, DATA_MAX)}…` : (JSON.parse(text) as unknown)
  } catch {
    return String(data)
  }
}
